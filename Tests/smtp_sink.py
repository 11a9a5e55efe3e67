"""A mail server for tests: aiosmtpd, which accepts mails with STARTTLS and AUTH and stores them.

    python smtp_sink.py PORT FOLDER starttls|tls|plain

FOLDER/authority.pem   the authority that signed the certificate of localhost, made anew at each start
FOLDER/mails.json      every mail so far, read by Python's own library

It knows one user, `valet`, with the password `a b+c/ü`. It refuses recipients whose name is `nobody` (550) or
`full` (452). It listens on 127.0.0.1 only.
"""

import asyncio
import datetime
import email
import email.policy
import ipaddress
import json
import os
import pathlib
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

KNOWN = LoginPassword(b"valet", "a b+c/ü".encode())


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def certificate(subject, key, issuer, issuer_key, *extensions):
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name(subject))
        .issuer_name(name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
    )
    for extension in extensions:
        builder = builder.add_extension(extension, critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


def encryption(folder):
    """A TLS context with a certificate of localhost; writes its authority to a file for clients."""
    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca = x509.BasicConstraints(ca=True, path_length=None)
    authority = certificate("authority", authority_key, "authority", authority_key, ca)
    hosts = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    own = certificate("localhost", key, "authority", authority_key, x509.SubjectAlternativeName(hosts))
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    own_file = folder / "own.pem"
    own_file.write_bytes(secret + own.public_bytes(pem))
    (folder / "authority.pem").write_bytes(authority.public_bytes(pem))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(own_file)
    return context


class Keeper:
    def __init__(self, folder):
        self.file = folder / "mails.json"
        self.mails = []

    def keep(self):
        draft = self.file.with_suffix(".draft")
        draft.write_text(json.dumps(self.mails))
        os.replace(draft, self.file)

    async def handle_RCPT(self, server, session, envelope, address, options):
        told = {"nobody": "550 5.1.1 No such mailbox", "full": "452 4.2.2 Mailbox full"}
        if refusal := told.get(address.split("@")[0]):
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.mails.append(
            {
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "headers": {key.lower(): str(value) for key, value in mail.items()},
                "text": mail.get_content(),
                "defects": [repr(defect) for part in mail.walk() for defect in part.defects],
                "isEncrypted": server.transport.get_extra_info("ssl_object") is not None,
                "isAuthenticated": bool(session.authenticated),
            }
        )
        self.keep()
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    # Not handled: the server itself says 535.
    return AuthResult(success=data == KNOWN, handled=False)


async def main(port, folder, security):
    context = encryption(folder)
    keeper = Keeper(folder)

    def connection():
        return SMTP(
            keeper,
            hostname="localhost",
            tls_context=context if security == "starttls" else None,
            require_starttls=security == "starttls",
            authenticator=authenticate,
            auth_required=security != "plain",
            auth_require_tls=security == "starttls",
        )

    server = await asyncio.get_running_loop().create_server(
        connection, "127.0.0.1", port, ssl=context if security == "tls" else None
    )
    keeper.keep()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]))
