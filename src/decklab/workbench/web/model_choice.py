"""The model that edits and writes, chosen on a page while the workbench runs. Its key is kept in
memory, and goes to the processes that ask the model alone.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Final

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse, RedirectResponse

from decklab.workbench.web.pages import render
from decklab.workbench.web.workbench import Workbench

_FORMS: Final = (
    (r"[\w.-]+(/[\w.:@+-]+)+", "a model has a name such as openai/gpt-5"),
    (r"[!-~]{1,1000}", "a key is one word of plain letters"),
    (r"https?://[!-~]{1,500}", "an address begins with http:// or https://"),
)
"""Forms of a name, a key and an address, and what is said of others."""
_SERVERS: Final[Mapping[str, str]] = {
    "openai": "api.openai.com", "anthropic": "api.anthropic.com", "mistral": "api.mistral.ai",
    "google": "generativelanguage.googleapis.com", "groq": "api.groq.com",
    "openrouter": "openrouter.ai", "grok": "api.x.ai", "together": "api.together.xyz",
}  # fmt: skip
"""Where providers have their models, unless an address is given."""


def service_of(name: str) -> str:
    """The service that has a model: a provider, or what a server of OpenAI's kind is called.

    >>> service_of("openai/gpt-5"), service_of("openai-api/local/qwen")
    ('openai', 'local')
    """
    provider, _, rest = name.partition("/")
    return rest.partition("/")[0] if provider == "openai-api" else provider


def choose_model(bench: Workbench, name: str, key: str = "", address: str = "") -> None:
    """Have requests and drafts go to a model from now on; an empty name is for none, which forgets
    the key. Without ``key`` that of the same service stays.

    Raises ValueError for what is no name, key or address.
    """
    name, key, address = name.strip(), key.strip(), address.strip()
    for value, (form, said) in zip((name, key, address), _FORMS, strict=True):
        if value and not re.fullmatch(form, value, re.ASCII):
            raise ValueError(said)
    stem = re.sub(r"\W", "_", service_of(name)).upper()
    named = f"{stem}_API_KEY"
    key = key or (bench.jobs.environment.get(named, "") if name else "")
    values = {named: key, f"{stem}_BASE_URL": address}
    bench.jobs.environment = {variable: value for variable, value in values.items() if value}
    bench.model = name or None


def model_pages(bench: Workbench) -> APIRouter:
    """The page on which the model is chosen."""
    router = APIRouter(default_response_class=HTMLResponse)

    @router.get("/model")
    def model_page() -> str:
        kept, service = bench.jobs.environment, service_of(bench.model or "")
        address = next((value for name, value in kept.items() if name.endswith("_BASE_URL")), "")
        return render(
            "model.html", model=bench.model, address=address, servers=_SERVERS,
            key=any(name.endswith("_API_KEY") for name in kept),
            goes=address or _SERVERS.get(service) or f"the servers of {service}",
        )  # fmt: skip

    @router.post("/model")
    def choose(
        name: Annotated[str, Form()] = "",
        key: Annotated[str, Form()] = "",
        address: Annotated[str, Form()] = "",
    ) -> RedirectResponse:
        choose_model(bench, name, key, address)
        return RedirectResponse("/model", 303)

    return router
