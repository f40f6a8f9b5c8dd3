"""Attacks on who comes next and who helps: later runs, services, readers of decks."""

from textwrap import dedent

from bench.attack_table.attack import EVERY_PIPE, Group
from decklab.sandbox.limits import CodeFailed, Killed, OutOfMemory, ServiceLimit, TimedOut

__all__ = ["GROUPS"]

GROUPS: list[Group] = []

_into = Group("next run")
for _name, _code in {
    "other builtins": "import builtins\nbuiltins.len = lambda x: 99\nbuiltins.open = None",
    "another json": "import json\njson.dumps = json.loads = json.dump = None",
    "another exit": "import os\nos._exit = os.fork = os.write = lambda *a: None",
    "modules of its own": "import sys\nsys.modules['pptx'] = sys.modules['re'] = None",
    "an import hook": """
        import sys
        class Hook:
            def find_spec(self, name, path=None, target=None): raise ImportError('mine')
        sys.meta_path.insert(0, Hook())
        """,
    "a path of its own": """
        import sys
        open('numpy.py', 'w').write('boom'); sys.path.insert(0, '@work')
        """,
    "a trace function": "import sys\nsys.settrace(print); sys.setprofile(lambda *a: None)",
    "the supervisor's own code": """
        import sys
        for name, module in list(sys.modules.items()):
            if name.startswith('guest'): vars(module).clear()
        """,
    "the prelude": "SHARED.append('mine')\nSHARED_FUNCTION.__code__ = (lambda: 'mine').__code__",
    "every object there is": """
        import gc
        gc.unfreeze()
        for thing in gc.get_objects():
            if type(thing) is list and len(thing) < 50: thing.clear()
        import os; os._exit(0)
        """,
    "signals, folder, environment": """
        import os, signal
        signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.umask(0o777); os.chdir('/')
        os.environ.clear(); os.environ['LD_PRELOAD'] = '@work/x.so'
        """,
}.items():
    _into.add(
        _name,
        dedent(_code) + "\nresult = 'done'",
        errors=(Killed, CodeFailed, TimedOut),
        exceptions=("TypeError", "NameError", "AttributeError", "ImportError"),
        harmless=lambda value: value == "done",
    )
_into.harmless(
    "a pickle for the host",
    """
    import pickle, os
    class Boom:
        def __reduce__(self): return os.system, (f"touch {HOST['folder']}/boom",)
    result = pickle.dumps(Boom())
    """,
    lambda value: isinstance(value, bytes),
)
_into.harmless(
    "the same pickle inside",
    """
    import pickle, os
    class Boom:
        def __reduce__(self): return os.system, (f"touch {HOST['folder']}/boom 2>/dev/null",)
    result = pickle.loads(pickle.dumps(Boom()))
    """,
    lambda value: value != 0,
)


GROUPS.append(_into)

_into = Group("services")
_into.ends(
    "calls without end", "while True:\n    try: ask('x')\n    except Exception: pass", ServiceLimit
)
_into.ends("a huge question", "ask('x' * 10**7)", ServiceLimit)
_into.ends("many large questions", "for _ in range(3): ask('x' * 30000)", ServiceLimit)
_into.raises("arguments that do not fit", "ask(1, 2, 3, nonsense=4)", "ValueError")
_into.raises("arguments that are not plain", "ask(object())", "TypeError")
_into.raises("arguments within themselves", "x = []; x.append(x); ask(x)", "TypeError")
_into.raises("what the service refuses", "ask('refuse me')", "ValueError")
_into.ends(
    "calls from many threads",
    """
    import threading
    for _ in range(6): threading.Thread(target=ask, args=('x',)).start()
    import time; time.sleep(60)
    """,
    ServiceLimit,
)
_into.harmless(
    "a file of the host by its path",
    "result = ask(HOST['secret'])",
    lambda value: value == "answer",
)
_CALL = EVERY_PIPE + "import json\n"
_into.ends(
    "a service there is none of",
    _CALL
    + """
for name in ('__import__', 'eval', 'os.system'):
    everywhere(frame(b'C', json.dumps({'name': name, 'args': ['id'], 'kwargs': {}}).encode()))
while True: pass""",
    TimedOut,
)
_into.ends(
    "calls that nobody waits for",
    _CALL
    + """
call = json.dumps({'name': 'ask', 'args': ['x'], 'kwargs': {}}).encode()
while True: everywhere(frame(b'C', call))
""",
    ServiceLimit,
    TimedOut,
)
_into.ends(
    "a call that is none", _CALL + "everywhere(frame(b'C', b'[1]'))\nwhile True: pass", TimedOut
)
_into.ends(
    "a call, then the end",
    _CALL
    + """
everywhere(frame(b'C', json.dumps({'name': 'ask', 'args': ['x'], 'kwargs': {}}).encode()))
os._exit(0)""",
    Killed,
)


GROUPS.append(_into)

_into = Group("decks")
_ENDS_BADLY = (CodeFailed, OutOfMemory, TimedOut, Killed)
for _deck in ("bomb", "laughs", "outside", "traversal", "quadratic", "nested", "cut", "notazip"):
    _into.add(
        f"a deck of strangers: {_deck}",
        f"""
        from pptx import Presentation
        deck = Presentation('@input/{_deck}.pptx')
        shapes = [shape for slide in deck.slides for shape in slide.shapes]
        result = [shape.text_frame.text[:100] for shape in shapes if shape.has_text_frame]
        """,
        errors=_ENDS_BADLY,
        exceptions=(
            "XMLSyntaxError",
            "PackageNotFoundError",
            "KeyError",
            "BadZipFile",
            "error",
            "ValueError",
            "OSError",
            "AttributeError",
        ),
        harmless=lambda value: isinstance(value, list),
    )
_into.harmless(
    "unpack a deck that leaves its folder",
    """
    import os, zipfile
    zipfile.ZipFile('@input/traversal.pptx').extractall('out')
    result = sorted(name for name in os.listdir('.') if name not in ('out', '.tmp'))
    """,
    lambda value: value == [],
)
_into.add(
    "a picture that is a bomb",
    """
    from PIL import Image
    result = Image.open('@input/bomb.png').load() is not None
    """,
    errors=_ENDS_BADLY,
    exceptions=("DecompressionBombError", "OSError"),
)

GROUPS.append(_into)
