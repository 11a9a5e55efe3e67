"""Balances TCP connections over servers: of those that are ready, else of those that live, else of all, in turn.

    balancer.py DOOR:SERVER,SERVER …     ports of 127.0.0.1

Asks each server's /health/ready every second. A server that twice gives no answer in time loses its connections, since
their clients would wait for an answer that may never come.
"""

import asyncio
import itertools
import sys

INTERVAL, LIMIT = 1.0, 2.0
SILENT, ALIVE, READY = range(3)


class Server:
    def __init__(self, port):
        self.port = port
        self.level = ALIVE
        self.writers = set()

    async def watch(self):
        missed = 0
        while True:
            try:
                self.level, missed = await asyncio.wait_for(self.look(), LIMIT), 0
            except asyncio.TimeoutError:
                missed += 1
                if missed > 1:
                    self.level = SILENT
                    for writer in list(self.writers):
                        writer.transport.abort()
            except OSError:
                self.level = SILENT
            await asyncio.sleep(INTERVAL)

    async def look(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(b"GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            line = await reader.readline()
            await reader.read()
        finally:
            writer.close()
        if not line:
            raise ConnectionError("no answer")
        return READY if b" 200 " in line else ALIVE


async def copy(reader, writer):
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def open_door(port, servers):
    turns = itertools.count()

    async def serve(client_reader, client_writer):
        turn = next(turns) % len(servers)
        in_turn = servers[turn:] + servers[:turn]
        for server in sorted(in_turn, key=lambda server: -server.level):
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            except OSError:
                continue
            server.writers.add(writer)
            try:
                await asyncio.gather(copy(client_reader, writer), copy(reader, client_writer))
            finally:
                server.writers.discard(writer)
            return
        client_writer.close()

    door = await asyncio.start_server(serve, "127.0.0.1", port)
    await asyncio.gather(door.serve_forever(), *(server.watch() for server in servers))


async def main(doors):
    work = []
    for door in doors:
        port, _, servers = door.partition(":")
        work.append(open_door(int(port), [Server(int(server)) for server in servers.split(",")]))
    await asyncio.gather(*work)


asyncio.run(main(sys.argv[1:]))
