"""From what is known about a document to the diagnostics of an editor: quiet by default."""

from collections.abc import Iterator

from lsprotocol import types

from cortex.commands.artifact_status import ArtifactStatus
from cortex.findings.checks import Finding
from cortex.model.verdicts import Diagnosis, Ruling
from cortex_lsp.places import Placed, line_of
from cortex_lsp.repository import Repository

SOURCE = "cortex"
SEVERITIES = {
    "error": types.DiagnosticSeverity.Warning,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


def diagnostics(repository: Repository, path: str, text: str) -> list[types.Diagnostic]:
    """Return the diagnostics of one document as the editor holds it."""
    found = [
        made
        for place, status in repository.artifact_statuses(path, text)
        for made in _of_verdict(place, status)
    ]
    return found + [_of_finding(one, text) for one in repository.findings(path, text)]


def _of_verdict(place: Placed, status: ArtifactStatus) -> Iterator[types.Diagnostic]:
    known = status.known
    if known is not None and status.stale and known.ruling is not Ruling.UNUSED:
        said = f"The verdict ({known.ruling}) is stale: {status.stale}."
        yield _made(place.head, "stale", said, types.DiagnosticSeverity.Hint)
    if known is None or status.ruling is not Ruling.PRUNE:
        return
    if known.diagnosis is Diagnosis.HARM:
        yield _made(place.head, "harmful", known.reason, types.DiagnosticSeverity.Warning)
        return
    yield types.Diagnostic(
        range=place.range,
        message=f"Prunable: {known.reason}",
        severity=types.DiagnosticSeverity.Information,
        code="prunable",
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary],
    )


def _of_finding(finding: Finding, text: str) -> types.Diagnostic:
    quoted = finding.message.split("`")
    line = line_of(text, quoted[1]) if len(quoted) > 1 else 0
    where = types.Range(types.Position(line, 0), types.Position(line + 1, 0))
    message = f"{finding.message}; {finding.hint}" if finding.hint else finding.message
    return _made(where, finding.code, message, SEVERITIES[finding.severity])


def _made(
    where: types.Range, code: str, message: str, severity: types.DiagnosticSeverity
) -> types.Diagnostic:
    return types.Diagnostic(
        range=where, message=message, severity=severity, code=code, source=SOURCE
    )
