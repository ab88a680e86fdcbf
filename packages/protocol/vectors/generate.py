#!/usr/bin/env python3
"""Writes answer-signature.json and callback-signature.json next to this file.

It uses nothing of this package: the expected signatures come from Python's hmac and hashlib, so that a mistake in our
own code can't hide in the vectors. Run it again after changing a case; the output is deterministic.
"""

import base64
import hashlib
import hmac
import json
import pathlib

HERE = pathlib.Path(__file__).parent

CURRENT = "whsec_" + base64.b64encode(hashlib.sha256(b"yagate vector secret 1").digest()).decode()
PREVIOUS = "whsec_" + base64.b64encode(hashlib.sha256(b"yagate vector secret 2").digest()).decode()
STRANGER = "whsec_" + base64.b64encode(hashlib.sha256(b"yagate vector secret 3").digest()).decode()
SHORT = "whsec_" + base64.b64encode(bytes(range(23))).decode()
LONG = "whsec_" + base64.b64encode(bytes(range(65))).decode()

CALL = "tc_01k9e5t8b8fxhv3c4n5p6q7r8s"
OTHER_CALL = "tc_01k9e5t8b8fxhv3c4n5p6q7r8t"
BODY = '{"result":{"orderId":"ORD-12345","note":"Zürich ☃"}}'.encode()
ONE_MIB = 1_048_576


def digest(text: bytes, key: bytes) -> str:
    return hmac.new(key, text, hashlib.sha256).hexdigest()


def entry(text: bytes, secret: str = CURRENT) -> str:
    return "sha256=" + digest(text, secret.encode())


def answer_text(body: bytes = BODY, call: str = CALL, status: int = 200) -> bytes:
    return f"answer.{call}.{status}.".encode() + body


def callback_text(body: bytes = BODY, call: str = CALL) -> bytes:
    return f"callback.{call}.".encode() + body


def cases(kind: str, text) -> list[dict]:
    """Cases that both texts share. `text` builds the signed text from a body and a call id."""
    valid = entry(text())
    zero = "sha256=" + "0" * 64
    digits = valid.removeprefix("sha256=")
    changed = BODY.replace(b"12345", b"12346")
    decoded_key = base64.b64decode(CURRENT.removeprefix("whsec_"))

    def case(name, description, expect, header=valid, body=BODY, secrets=(CURRENT,), call=CALL):
        built = {"id": f"{kind}-{name}", "level": kind, "description": description}
        built["headers"] = {} if header is None else {"x-ya-signature": header}
        built["toolCallId"] = call
        if kind == "answer":
            built["status"] = 200
        built["bodyBase64"] = base64.b64encode(body).decode()
        built["secrets"] = list(secrets)
        built["expect"] = expect
        return built

    ok, bad, malformed, invalid = "accept", "SIGNATURE_MISMATCH", "SIGNATURE_MALFORMED", "SECRET_INVALID"
    listed = [
        case("valid", "untouched", ok),
        case("empty-body", "an empty body, signed", ok, entry(text(body=b"")), b""),
        case("invalid-utf8", "a body that is not UTF-8, signed as it is", ok, entry(text(body=b'"\xfe"')), b'"\xfe"'),
        case("body-changed", "one byte of the body changed", bad, body=changed),
        case("body-newline", "newline appended after signing", bad, body=BODY + b"\n"),
        case("body-cut", "last byte of the body cut off", bad, body=BODY[:-1]),
        case("other-call", "signed for another call", bad, entry(text(call=OTHER_CALL))),
        case("call-reflected", "the signature of a call with the same body", bad, entry(BODY)),
        case("prefix-in-body", "the signed text sent as the body", bad, body=text()),
        case("dotted-id", "an id with a dot, which would make the text ambiguous", "PAYLOAD_INVALID",
             entry(text(call=CALL + ".200")), call=CALL + ".200"),
        case("missing", "no header", "SIGNATURE_MISSING", None),
        case("empty", "empty header", "SIGNATURE_MISSING", ""),
        case("other-secret", "signed with an unknown secret", bad, entry(text(), STRANGER)),
        case("decoded-key", "keyed with the decoded bytes of the secret", bad, "sha256=" + digest(text(), decoded_key)),
        case("last-digit", "last digit changed", bad, valid[:-1] + ("0" if valid[-1] != "0" else "1")),
        case("two-secrets-sent", "both secrets signed, the receiver holds the newest", ok,
             f"{valid},{entry(text(), PREVIOUS)}"),
        case("two-secrets-behind", "both secrets signed, the receiver holds the previous one", ok,
             f"{valid},{entry(text(), PREVIOUS)}", secrets=(PREVIOUS,)),
        case("two-secrets-held", "signed with the previous secret, both are held", ok,
             entry(text(), PREVIOUS), secrets=(CURRENT, PREVIOUS)),
        case("removed-secret", "signed with the previous secret after it was removed", bad, entry(text(), PREVIOUS)),
        case("unknown-skipped", "an entry with an unknown name before the valid one", ok,
             f"sha512={hashlib.sha512(text()).hexdigest()},{valid}"),
        case("blanks", "white space around commas, empty elements", ok, f" , {zero} ,\t{valid} ,,"),
        case("ten", "ten entries, the last one valid", ok, ",".join([zero] * 9 + [valid])),
        case("eleven", "eleven entries, the first one valid", malformed, ",".join([valid] + [zero] * 10)),
        case("only-commas", "nothing but commas", malformed, ",,,"),
        case("upper-hex", "upper-case hex", malformed, "sha256=" + digits.upper()),
        case("upper-label", "upper-case label", malformed, "SHA256=" + digits),
        case("no-label", "digits without a label", malformed, digits),
        case("short", "63 digits", malformed, valid[:-1]),
        case("long", "65 digits", malformed, valid + "0"),
        case("inner-blank", "a space after the equals sign", malformed, "sha256= " + digits),
        case("semicolon", "entries separated by a semicolon", malformed, f"{zero};{valid}"),
        case("no-secrets", "no secret is held", invalid, secrets=()),
        case("one-bad-secret", "a good and an empty secret are held", invalid, secrets=(CURRENT, "")),
        case("blank-after-secret", "a newline after the secret", invalid, secrets=(CURRENT + "\n",)),
        case("secret-unpadded", "a secret without its padding", invalid, secrets=(CURRENT.rstrip("="),)),
        case("secret-short", "a secret of 23 bytes", invalid, entry(text(), SHORT), secrets=(SHORT,)),
        case("secret-long", "a secret of 65 bytes", invalid, entry(text(), LONG), secrets=(LONG,)),
    ]
    padded = BODY.ljust(ONE_MIB + 1)
    large = case("large", "one byte over 1 MiB: only calls have that limit", ok, entry(text(body=padded)))
    large["bodyGenerate"] = {"jsonBase64": large.pop("bodyBase64"), "padWithSpacesToBytes": ONE_MIB + 1}
    return [*listed, large]


def answer_cases() -> list[dict]:
    listed = cases("answer", answer_text)
    template = listed[0]

    def case(name, description, expect, status, text):
        return template | {"id": f"answer-{name}", "description": description, "expect": expect, "status": status,
                           "headers": {"x-ya-signature": entry(text)}}

    return [
        *listed,
        case("status-410", "a signed 410", "accept", 410, answer_text(status=410)),
        case("other-status", "signed as 200, received as 410", "SIGNATURE_MISMATCH", 410, answer_text()),
        case("other-status-2xx", "signed as 200, received as 202", "SIGNATURE_MISMATCH", 202, answer_text()),
        case("callback-reflected", "the signature of a callback with the same body", "SIGNATURE_MISMATCH", 200,
             callback_text()),
        case("status-range", "no HTTP status", "PAYLOAD_INVALID", 1000, answer_text(status=1000)),
    ]


def callback_cases() -> list[dict]:
    listed = cases("callback", callback_text)
    reflected = {"id": "callback-answer-reflected", "expect": "SIGNATURE_MISMATCH",
                 "description": "the signature of a 200 answer with the same body",
                 "headers": {"x-ya-signature": entry(answer_text())}}
    return [*listed, listed[0] | reflected]


def write(name: str, about: str, listed: list[dict]) -> None:
    ids = [case["id"] for case in listed]
    assert len(ids) == len(set(ids)), "case ids must be unique"
    document = json.dumps({"about": about, "cases": listed}, indent=1, ensure_ascii=False)
    (HERE / name).write_text(document + "\n", encoding="utf-8")


write("answer-signature.json",
      "X-YA-Signature of answers: header, call id, status, bytes, secrets. expect: 'accept' or the error code.",
      answer_cases())
write("callback-signature.json",
      "X-YA-Signature of callbacks: header, call id, bytes, secrets. expect: 'accept' or the error code.",
      callback_cases())
