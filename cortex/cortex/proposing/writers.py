"""Who writes candidates: a literal registry."""

from collections.abc import Callable, Sequence

from cortex.config import WriterConfig
from cortex.errors import UsageError
from cortex.proposing.briefs import Writer


def _template(_config: WriterConfig, _command: Sequence[str]) -> Writer:
    from cortex.proposing.template import TemplateWriter

    return TemplateWriter()


def _anthropic(config: WriterConfig, _command: Sequence[str]) -> Writer:
    from cortex.proposing.anthropic_writer import AnthropicWriter

    return AnthropicWriter(config.model)


def _claude_code(config: WriterConfig, command: Sequence[str]) -> Writer:
    from cortex.proposing.claude_code_writer import ClaudeCodeWriter

    return ClaudeCodeWriter(config.model, command=command)


WRITERS: dict[str, Callable[[WriterConfig, Sequence[str]], Writer]] = {
    "template": _template,
    "anthropic": _anthropic,
    "claude-code": _claude_code,
}


def make_writer(config: WriterConfig, command: Sequence[str] = ("claude",)) -> Writer:
    """Return the writer that the configuration names; `command` is the Claude Code program.

    Raises UsageError for an unknown name.
    """
    if config.name not in WRITERS:
        raise UsageError(f"unknown writer {config.name!r}; there are {', '.join(WRITERS)}")
    return WRITERS[config.name](config, command)
