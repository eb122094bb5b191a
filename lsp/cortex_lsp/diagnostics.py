"""From what is known about a document to the diagnostics of an editor: quiet by default."""

from collections.abc import Iterator

from lsprotocol import types

from cortex.commands.artifact_status import ArtifactStatus
from cortex.findings.checks import Finding
from cortex.model.verdicts import Diagnosis, Ruling
from cortex_lsp.places import Placed
from cortex_lsp.repository import Repository

SOURCE = "cortex"
SEVERITIES = {
    "error": types.DiagnosticSeverity.Warning,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


def diagnostics(repository: Repository, path: str, text: str) -> list[types.Diagnostic]:
    """Return the diagnostics of a document as the editor holds it."""
    of_verdicts = [
        made
        for place, status in repository.artifact_statuses(path, text)
        for made in _of_verdict(place, status)
    ]
    return of_verdicts + [_of_finding(finding) for finding in repository.findings(path, text)]


def _of_verdict(place: Placed, status: ArtifactStatus) -> Iterator[types.Diagnostic]:
    known = status.known
    if known is not None and status.stale and known.ruling is not Ruling.UNUSED:
        message = f"The verdict ({known.ruling}) is stale: {status.stale}."
        yield _made(place.head, "stale", message, types.DiagnosticSeverity.Hint)
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


def _of_finding(finding: Finding) -> types.Diagnostic:
    start, end = types.Position(finding.line, 0), types.Position(finding.line + 1, 0)
    message = f"{finding.message}; {finding.hint}" if finding.hint else finding.message
    return _made(types.Range(start, end), str(finding.code), message, SEVERITIES[finding.severity])


def _made(
    where: types.Range, code: str, message: str, severity: types.DiagnosticSeverity
) -> types.Diagnostic:
    return types.Diagnostic(
        range=where, message=message, severity=severity, code=code, source=SOURCE
    )
