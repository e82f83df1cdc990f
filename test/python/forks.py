"""Forks of a process that has TRL loaded: forks.py SOCKET. Loading it takes longer than most scripts that need it.

Whoever asks (forked.py) says a script, its arguments, environment, folder and standard streams; it then runs in a
process of its own, as if begun afresh. Ends, and all forks with it, when standard input does.
"""

import contextlib
import gc
import json
import os
import runpy
import select
import signal
import socket
import sys

import datasets  # noqa: F401
import pandas  # noqa: F401
from transformers import Qwen2Config, Qwen2ForCausalLM, TrainerCallback  # noqa: F401
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer  # noqa: F401


def asked(link):
    size, streams, _, _ = socket.recv_fds(link, 4, 3)
    text = b""
    while len(text) < int.from_bytes(size, "big"):
        text += link.recv(65536)
    return json.loads(text), streams


def begin(link, others):
    """The process that runs what is asked; None in it, as what is asked."""
    order, streams = asked(link)
    child = os.fork()
    if child > 0:
        for stream in streams:
            os.close(stream)
        return child, None
    os.setsid()
    for one in [link, *others]:
        one.close()
    for at, stream in enumerate(streams):
        os.dup2(stream, at)
        os.close(stream)
    return 0, order


def serve(path):
    """Returns in forks alone: what each is to run."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(16)
    # Forks share what is there, and need not look through it for garbage.
    gc.freeze()
    print("ready", flush=True)
    running = {}
    while True:
        ready, _, _ = select.select([listener, 0, *running], [], [], 0.02 if running else None)
        for link, child in list(running.items()):
            if link in ready:  # Nobody waits for it any more.
                os.killpg(child, signal.SIGKILL)
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                code = os.waitstatus_to_exitcode(status)
                with contextlib.suppress(OSError):
                    link.sendall(bytes([code if code >= 0 else 128 - code]))
                link.close()
                del running[link]
        if 0 in ready:
            for child in running.values():
                os.killpg(child, signal.SIGKILL)
            sys.exit(0)
        if listener in ready:
            link, _ = listener.accept()
            child, order = begin(link, [listener, *running])
            if order is not None:
                return order
            running[link] = child


order = serve(sys.argv[1])
os.chdir(order["folder"])
os.environ.clear()
os.environ.update(order["environment"])
script, *given = order["given"]
if script == "-m":
    sys.argv = given
    sys.path[0] = order["folder"]
    runpy.run_module(given[0], run_name="__main__", alter_sys=True)
else:
    sys.argv = [script, *given]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    runpy.run_path(script, run_name="__main__")
