"""The shipping decision rule on the outcomes that the paper's lab published."""
