"""Every message that the editor, the bridge and the kernel exchange, defined once.

``crane_bridge.typescript`` writes the same types for the extension. Annotations use ``Optional`` because pydantic
evaluates them at run time and Python 3.9 has no ``X | None``.

Two families: what derives from :class:`Params` is written by the editor, so a field that has a default may be left
out; all else is written by us (or by the kernel) and always holds every field.
"""

from enum import Enum
from typing import Any, ClassVar, List, Literal, Optional  # noqa: UP035  (a forward reference inside needs List on 3.9)

from pydantic import BaseModel, ConfigDict, Field

PROTOCOL_VERSION = 1

MIME_REPLY = "application/vnd.crane.reply+json"
MIME_END = "application/vnd.crane.end+json"
MIME_REFUSAL = "application/vnd.crane.refusal+json"


class Message(BaseModel):
    """Base of all messages. Fields that a newer peer adds are ignored, so that versions can meet."""

    model_config = ConfigDict(extra="ignore", protected_namespaces=())


class Params(Message):
    """Base of what the editor writes: fields with a default may be absent."""


# --- the verdict -----------------------------------------------------------------------------------------------------


class CellRef(Message):
    """A cell that ran (or would have to run), with the text that it had then."""

    id: Optional[str] = None
    order: Optional[int] = Field(None, description="Execution count of its last run; null if it never ran")
    source: str = ""
    recorded: bool = Field(True, description="False: known from the history alone, from before recording began")
    runs: int = Field(1, description="How often it ran in a row; reruns are one step")


class OriginStep(Message):
    """One thing that a cell did to a variable."""

    action: Literal["assigned", "modified", "possibly_modified", "deleted", "would_define"]
    cell: CellRef
    line: Optional[int] = Field(None, description="1-based line in that cell")
    detail: str = ""
    reason: Optional[Literal["not_run", "raised_before", "edited_since", "branch_not_run"]] = None


class Origin(Message):
    """The cells that made a variable what it is, in the order in which they ran."""

    variable: str
    steps: list[OriginStep] = []


class Suggestion(Message):
    """A replacement for a range of the target cell. Lines are 1-based, columns 0-based characters."""

    title: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Usage(Message):
    """Tokens of one model call, as the endpoint counts them."""

    input_tokens: int
    output_tokens: int


class Verdict(Message):
    """What one of the two judges says about the target cell."""

    outcome: Literal["crash", "no_crash", "nothing_certain", "unreadable"]
    source: Literal["checker", "model"]
    model: Optional[str] = None
    exception: Optional[str] = Field(None, description='Name of the exception class, such as "KeyError"')
    message: Optional[str] = Field(None, description="The message as Python will show it")
    line: Optional[int] = Field(None, description="1-based, in the cell as typed")
    column: Optional[int] = Field(None, description="0-based, in characters")
    end_line: Optional[int] = None
    end_column: Optional[int] = None
    reasoning: str = ""
    variables: list[str] = []
    rule: Optional[str] = None
    suggestion: Optional[Suggestion] = None
    origins: list[Origin] = []
    seconds: float = 0.0
    usage: Optional[Usage] = None


# --- what the kernel tells about itself ------------------------------------------------------------------------------


class Column(Message):
    name: str
    dtype: str = ""
    notes: list[str] = []


class Variable(Message):
    """One variable of the kernel, as far as the target cell uses it."""

    name: str
    kind: str = ""
    type: str = ""
    shape: Optional[str] = None
    dtype: Optional[str] = None
    notes: list[str] = []
    columns: Optional[list[Column]] = None
    fields: Optional[List["Variable"]] = None
    sampled: bool = False


class Summary(Message):
    """The variables that the target cell uses; ``text`` is the same for a model to read."""

    variables: list[Variable] = []
    text: str = ""
    left_out: list[str] = []


class ExecutedCell(Message):
    """A cell that has run in this kernel."""

    id: Optional[str] = None
    order: Optional[int] = None
    source: str
    success: Optional[bool] = None
    recorded: bool = True
    runs: int = 1


class LostLine(Message):
    line: int
    what: str


class Fact(Message):
    line: int
    text: str


class Walk(Message):
    """How far the checker followed the target cell on exact values; a figure to steer by, not a verdict."""

    followed: float = 0.0
    complete: bool = False
    lost: list[LostLine] = []
    facts: list[Fact] = []


class InspectSeconds(Message):
    check: float = 0.0
    summary: float = 0.0
    origins: float = 0.0
    total: float = 0.0


class KernelInfo(Message):
    python: str = ""
    ipython: str = ""
    crane: str = ""
    recorder: bool = False
    guard: bool = False


class Inspection(Message):
    """What ``crane_llm.inspect_cell`` answers."""

    version: int = 1
    verdict: Verdict
    summary: Optional[Summary] = None
    origins: list[Origin] = []
    executed: list[ExecutedCell] = []
    walk: Optional[Walk] = None
    used: list[str] = []
    seconds: InspectSeconds = InspectSeconds()
    kernel: KernelInfo = KernelInfo()


class NotebookCell(Params):
    id: Optional[str] = None
    source: str


class InspectParams(Params):
    """Parameters of the kernel's method ``inspect``."""

    source: str
    cells: Optional[list[NotebookCell]] = Field(None, description="Code cells as they are now, in notebook order")
    target_id: Optional[str] = None
    check: bool = True
    summary: bool = True
    categories: str = "SRV"
    schema_only: bool = False
    hide_names: bool = False
    deadline: Optional[float] = Field(None, description="Seconds for the checker")
    scan_limit: Optional[int] = Field(
        None, description="Values that a check may read one by one; null: the kernel's own limit"
    )
    tags: list[str] = []


class GuardParams(Params):
    on: Optional[bool] = Field(None, description="Null asks without changing anything")


class GuardResult(Message):
    on: bool
    armed: bool


class KernelRequest(Params):
    """What the call statement hands to the mounted package, as JSON text."""

    id: str
    method: Literal["inspect", "guard", "recorder", "ping", "forget"]
    params: dict[str, Any] = {}


class KernelError(Message):
    type: str
    message: str


class KernelReply(Message):
    """Data of the display with mime type ``MIME_REPLY``: one of result, error or missing."""

    id: str
    result: Optional[Any] = None
    error: Optional[KernelError] = None
    missing: Optional[bool] = None


class KernelEnd(Message):
    """Data of the display with mime type ``MIME_END``, sent last: without it the answer is not whole."""

    id: str


class Refusal(Message):
    """Data of the display with mime type ``MIME_REFUSAL``: the guard did not let the cell run."""

    verdict: Verdict
    origins: list[Origin] = []


# --- editor and bridge -----------------------------------------------------------------------------------------------


class Settings(Params):
    """Settings of a model call that the editor knows. Null: the bridge looks further, in the documented order."""

    model: Optional[str] = None
    base_url: Optional[str] = Field(None, description="Null or empty: OpenAI itself")
    api_key: Optional[str] = Field(None, description="A key given for this very call; wins over every other source")
    api_style: Optional[Literal["responses", "chat"]] = None
    timeout_s: Optional[float] = Field(None, description="Seconds for one attempt, from connecting to the last byte")
    max_retries: Optional[int] = None
    structured: Optional[bool] = Field(None, description="Null: found out once per endpoint")
    reasoning_effort: Optional[str] = None
    token_budget: Optional[int] = Field(None, description="Largest prompt, in estimated tokens")
    cwd: Optional[str] = Field(
        None, description="Folder from which .env files are looked for upwards; null in a workspace that is not trusted"
    )
    stored_key: Optional[str] = Field(None, description="Key from the editor's secret storage, for stored_key_host")
    stored_key_host: Optional[str] = None
    confirmed_hosts: list[str] = Field([], description="Hosts to which the person agreed to send any of the keys")


class InitializeParams(Params):
    client_version: str


class InitializeResult(Message):
    version: str
    protocol: int
    python: str
    features: list[str] = Field(description='Installed extras, such as "model" and "cli"')


class Target(Params):
    id: Optional[str] = None
    source: str


class PredictParams(Params):
    """Parameters of ``preview`` and ``predict``; what ``inspect`` answered is passed on as it is."""

    id: str = Field(description="Chosen by the editor; comes back in the stage notifications")
    target: Target
    executed: list[ExecutedCell] = []
    summary: Optional[Summary] = None
    walk: Optional[Walk] = None
    include_runtime: bool = True
    schema_only: bool = False
    fresh: bool = Field(False, description="True: ask again even if the same question was answered in this session")
    settings: Settings = Settings()


class Prompt(Message):
    """The exact text that is sent."""

    system: str
    user: str


class PreviewResult(Message):
    prompt: Prompt
    tokens: int = Field(description="Estimated")
    left_out: list[str] = []
    destination: str = Field(description="The host that the prompt would be sent to")
    model: str


class PredictResult(Message):
    verdict: Verdict
    prompt: Prompt
    raw_reply: str
    model: str
    destination: str
    usage: Optional[Usage] = None
    seconds: float
    cached: bool = False
    left_out: list[str] = []


class ModelsParams(Params):
    settings: Settings = Settings()


class ModelsResult(Message):
    models: list[str]


class ConfigParams(Params):
    cwd: Optional[str] = Field(None, description="Null in a workspace that is not trusted")
    settings: Settings = Settings()


class ConfigEntry(Message):
    name: str
    value: Optional[str] = Field(description="Keys are masked")
    source: str = Field(description="Where the value came from, in words")


class ConfigResult(Message):
    entries: list[ConfigEntry]
    destination: str
    has_key: bool
    ready: bool = Field(description="True: a model call would not fail for want of settings")
    problem: Optional[str] = Field(None, description="What is wrong with the settings, in words")


class TestKeyParams(Params):
    __test__: ClassVar[bool] = False
    settings: Settings = Settings()


class TestKeyResult(Message):
    __test__: ClassVar[bool] = False
    ok: bool
    message: str


class ParseReplyParams(Params):
    raw: str
    target: Target
    model: Optional[str] = None


class ParseReplyResult(Message):
    verdict: Verdict


class Stage(str, Enum):
    building_prompt = "building_prompt"
    waiting_for_model = "waiting_for_model"
    retrying = "retrying"
    reading_reply = "reading_reply"


class StageParams(Message):
    """Notification ``stage`` from the bridge."""

    id: str
    stage: Stage
    detail: str = ""


class ErrorKind(str, Enum):
    auth = "auth"
    model_unknown = "model_unknown"
    rate_limit = "rate_limit"
    timeout = "timeout"
    network = "network"
    server = "server"
    not_api = "not_api"
    no_key = "no_key"
    settings = "settings"
    internal = "internal"


class ErrorData(Message):
    """``data`` of a JSON-RPC error: what kind it is, and what the person can do."""

    kind: ErrorKind
    hint: str


REQUEST_CANCELLED = -32800
REQUEST_FAILED = -32803

REQUESTS: dict[str, tuple[Optional[type[Message]], Optional[type[Message]]]] = {
    "initialize": (InitializeParams, InitializeResult),
    "preview": (PredictParams, PreviewResult),
    "predict": (PredictParams, PredictResult),
    "models": (ModelsParams, ModelsResult),
    "config": (ConfigParams, ConfigResult),
    "testKey": (TestKeyParams, TestKeyResult),
    "parseReply": (ParseReplyParams, ParseReplyResult),
    "shutdown": (None, None),
}

NOTIFICATIONS: dict[str, type[Message]] = {"stage": StageParams}
