"""Forwards each connection to one of several servers in turn, skipping those that refuse it."""

import asyncio
import itertools
import sys


async def copy(reader, writer):
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def main(port, servers):
    turns = itertools.cycle(servers)

    async def serve(client_reader, client_writer):
        for server in [next(turns) for _ in servers]:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", server)
            except OSError:
                continue
            await asyncio.gather(copy(client_reader, writer), copy(reader, client_writer))
            return
        client_writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", port)
    await server.serve_forever()


asyncio.run(main(int(sys.argv[1]), [int(port) for port in sys.argv[2:]]))
