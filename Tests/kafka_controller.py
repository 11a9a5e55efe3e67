"""A Kafka broker that only takes requests to make topics, for KafkaTests: it makes none, and prints each as JSON.

    kafka_controller.py PORT [ERROR]       ERROR: the number with which it answers for each topic (default 0: made)

Messages are of Kafka's protocol (https://kafka.apache.org/protocol): ApiVersions 0, Metadata 0 to 4, CreateTopics 0
to 4.
"""

from __future__ import annotations

import json
import socketserver
import struct
import sys

METADATA, API_VERSIONS, CREATE_TOPICS = 3, 18, 19
UNSUPPORTED_VERSION = 35
NODE = 1


class Reader:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def number(self, form: str) -> int:
        size = struct.calcsize(form)
        value, = struct.unpack_from(">" + form, self.data, self.at)
        self.at += size
        return value

    def text(self) -> str | None:
        length = self.number("h")
        if length < 0:
            return None
        self.at += length
        return self.data[self.at - length:self.at].decode()


def text(value: str | None) -> bytes:
    return struct.pack(">h", -1) if value is None else struct.pack(">h", len(value)) + value.encode()


class Broker(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        while head := self.request.recv(4, 0x100):
            size, = struct.unpack(">i", head)
            message = b""
            while len(message) < size:
                message += self.request.recv(size - len(message))
            reader = Reader(message)
            key, version, correlation = reader.number("h"), reader.number("h"), reader.number("i")
            reader.text()
            answer = {API_VERSIONS: self.versions, METADATA: self.metadata, CREATE_TOPICS: self.create}[key]
            body = struct.pack(">i", correlation) + answer(reader, version)
            self.request.sendall(struct.pack(">i", len(body)) + body)

    def versions(self, _: Reader, version: int) -> bytes:
        ranges = [(API_VERSIONS, 0, 0), (METADATA, 0, 4), (CREATE_TOPICS, 0, 4)]
        error = UNSUPPORTED_VERSION if version > 0 else 0
        return struct.pack(">hi", error, len(ranges)) + b"".join(struct.pack(">hhh", *each) for each in ranges)

    def metadata(self, _: Reader, version: int) -> bytes:
        host, port = self.server.server_address
        broker = struct.pack(">ii", 1, NODE) + text(host) + struct.pack(">i", port) + (text(None) if version else b"")
        throttle = struct.pack(">i", 0) if version >= 3 else b""
        cluster = text("tests") if version >= 2 else b""
        return throttle + broker + cluster + (struct.pack(">i", NODE) if version else b"") + struct.pack(">i", 0)

    def create(self, reader: Reader, version: int) -> bytes:
        topics = []
        for _ in range(reader.number("i")):
            topic = {"name": reader.text(), "partitions": reader.number("i"), "replication": reader.number("h")}
            assert reader.number("i") == 0, "assignments"
            topic["settings"] = {reader.text(): reader.text() for _ in range(reader.number("i"))}
            topics.append(topic)
        print(json.dumps({"topics": topics, "milliseconds": reader.number("i")}), flush=True)
        throttle = struct.pack(">i", 0) if version >= 2 else b""
        message = text("as you wished" if ERROR else None) if version >= 1 else b""
        return throttle + struct.pack(">i", len(topics)) + b"".join(
            text(topic["name"]) + struct.pack(">h", ERROR) + message for topic in topics)


ERROR = int(sys.argv[2]) if len(sys.argv) > 2 else 0
socketserver.ThreadingTCPServer.allow_reuse_address = True
socketserver.ThreadingTCPServer(("127.0.0.1", int(sys.argv[1])), Broker).serve_forever()
