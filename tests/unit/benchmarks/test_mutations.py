from benchmarks import mutations


def test_mutated_input_raises_nothing() -> None:
    measured = mutations.measure(2400, 3300, 5, 300)
    assert measured["raised"] == {}
    assert all(figure["holds"] for figure in measured["must"] if "memory" not in figure["id"])
