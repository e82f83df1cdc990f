"""Has forks.py run a script: forked.py SOCKET SCRIPT ARGUMENT... or forked.py SOCKET -m MODULE ARGUMENT...

Its environment, folder and standard streams are the script's, and the script's exit status is its own.
"""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as link:
    link.connect(sys.argv[1])
    order = {"given": sys.argv[2:], "environment": dict(os.environ), "folder": os.getcwd()}
    text = json.dumps(order).encode()
    socket.send_fds(link, [len(text).to_bytes(4, "big")], [0, 1, 2])
    link.sendall(text)
    status = link.recv(1)
sys.exit(status[0] if status else "the process that forks is gone")
