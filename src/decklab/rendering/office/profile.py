"""The private LibreOffice profile a worker starts with: nothing runs, nothing is fetched."""

from pathlib import Path
from xml.sax.saxutils import quoteattr

__all__ = ["SETTINGS", "write_profile"]

_COMMON = "/org.openoffice.Office.Common"
_SCRIPTING = f"{_COMMON}/Security/Scripting"
_RECOVERY = "/org.openoffice.Office.Recovery"

SETTINGS: tuple[tuple[str, str, str], ...] = (
    (_SCRIPTING, "MacroSecurityLevel", "3"),
    (_SCRIPTING, "DisableMacrosExecution", "true"),
    (_SCRIPTING, "DisableOLEAutomation", "true"),
    (_SCRIPTING, "DisablePythonRuntime", "true"),
    (_SCRIPTING, "BlockUntrustedRefererLinks", "true"),
    (f"{_COMMON}/Misc", "FirstRun", "false"),
    (f"{_COMMON}/Misc", "UseLocking", "false"),
    (f"{_COMMON}/Misc", "CrashReport", "false"),
    (f"{_COMMON}/Save/Document", "CreateBackup", "false"),
    (f"{_COMMON}/Save/Document", "AutoSave", "false"),
    (f"{_COMMON}/Load", "ShowOfficeUpdateDialog", "false"),
    (f"{_COMMON}/History", "PickListSize", "0"),
    (_RECOVERY + "/AutoSave", "Enabled", "false"),
    (_RECOVERY + "/RecoveryInfo", "Enabled", "false"),
    ("/org.openoffice.Office.Impress/Misc/Start", "AutoPilot", "false"),
    ("/org.openoffice.Office.Java/VirtualMachine", "Enable", "false"),
    ("/org.openoffice.Setup/Office", "ooSetupInstCompleted", "true"),
    ("/org.openoffice.Setup/Product", "WhatsNew", "false"),
)
"""Configuration node, property and value; a release that lacks a property passes over it.

``DisableActiveContent`` is not among them: LibreOffice 24.2 then draws no charts, and 7.4 does not
know it."""

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry">\n'
)


def write_profile(folder: Path, build: str | None = None) -> None:
    """Make ``folder`` a LibreOffice profile that holds ``SETTINGS`` and nothing else.

    With ``build``, the build of the LibreOffice that will use it, that one takes the profile for
    one of its own; else it clears the empty profile up first and then starts once more.
    """
    user = folder / "user"
    user.mkdir(parents=True)
    items = (
        f"<item oor:path={quoteattr(node)}><prop oor:name={quoteattr(name)} "
        f'oor:op="fuse"><value>{value}</value></prop></item>\n'
        for node, name, value in SETTINGS
    )
    text = _HEAD + "".join(items) + "</oor:items>\n"
    (user / "registrymodifications.xcu").write_text(text, encoding="utf-8")
    if build is not None:
        (user / "extensions").mkdir()
        (user / "extensions" / "buildid").write_text(build, encoding="utf-8")
