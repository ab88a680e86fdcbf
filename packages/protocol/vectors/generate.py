#!/usr/bin/env python3
"""Writes answer-, callback-, describe- and manifest-signature.json next to this file.

It uses nothing of this package: the expected signatures come from Python's hmac and hashlib, so that a mistake in our
own code can't hide in the vectors. Run it again after changing a case; the output is deterministic.
"""

import base64
import datetime
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
REQUEST = "dsc_01k9e5t8b8fxhv3c4n5p6q7r8s"
OTHER_REQUEST = "dsc_01k9e5t8b8fxhv3c4n5p6q7r8t"
AUDIENCE = "https://orders.example.com/tools"
NOW_SECONDS = 1_800_000_000
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


def describe_text(body: bytes = BODY) -> bytes:
    return b"describe." + body


def manifest_text(body: bytes = BODY, call: str = REQUEST, status: int = 200) -> bytes:
    return f"manifest.{call}.{status}.".encode() + body


# The name of the id in a case, the id, and another one. A describe request has its id in the body alone.
IDS = {
    "answer": ("toolCallId", CALL, OTHER_CALL),
    "callback": ("toolCallId", CALL, OTHER_CALL),
    "manifest": ("requestId", REQUEST, OTHER_REQUEST),
}


def cases(kind: str, text) -> list[dict]:
    """Cases that all texts share. `text` builds the signed text from a body and, for a kind in IDS, an id."""
    valid = entry(text())
    zero = "sha256=" + "0" * 64
    digits = valid.removeprefix("sha256=")
    changed = BODY.replace(b"12345", b"12346")
    decoded_key = base64.b64decode(CURRENT.removeprefix("whsec_"))

    def case(name, description, expect, header=valid, body=BODY, secrets=(CURRENT,), call=None):
        built = {"id": f"{kind}-{name}", "level": kind, "description": description}
        built["headers"] = {} if header is None else {"x-ya-signature": header}
        if kind in IDS:
            name_of_id, own_id, _ = IDS[kind]
            built[name_of_id] = call or own_id
        if kind in ("answer", "manifest"):
            built["status"] = 200
        built["bodyBase64"] = base64.b64encode(body).decode()
        built["secrets"] = list(secrets)
        built["expect"] = expect
        return built

    ok, invalid = "accept", "SECRET_INVALID"
    # The sender of a describe request learns one thing of a manifest: whether to trust it.
    missing, bad, malformed = (
        ("INVALID_RESPONSE_SIGNATURE",) * 3
        if kind == "manifest"
        else ("SIGNATURE_MISSING", "SIGNATURE_MISMATCH", "SIGNATURE_MALFORMED")
    )
    bound, dotted = [], []
    if kind in IDS:
        _, own_id, other_id = IDS[kind]
        what = "request" if kind == "manifest" else "call"
        bound = [case(f"other-{what}", f"signed for another {what}", bad, entry(text(call=other_id)))]
        dotted = [case("dotted-id", "an id with a dot, which would make the text ambiguous", "PAYLOAD_INVALID",
                       entry(text(call=own_id + ".200")), call=own_id + ".200")]
    listed = [
        case("valid", "untouched", ok),
        case("empty-body", "an empty body, signed", ok, entry(text(body=b"")), b""),
        case("invalid-utf8", "a body that is not UTF-8, signed as it is", ok, entry(text(body=b'"\xfe"')), b'"\xfe"'),
        case("body-changed", "one byte of the body changed", bad, body=changed),
        case("body-newline", "newline appended after signing", bad, body=BODY + b"\n"),
        case("body-cut", "last byte of the body cut off", bad, body=BODY[:-1]),
        *bound,
        case("call-reflected", "the signature of a call with the same body", bad, entry(BODY)),
        case("prefix-in-body", "the signed text sent as the body", bad, body=text()),
        *dotted,
        case("missing", "no header", missing, None),
        case("empty", "empty header", missing, ""),
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


def with_status(kind: str, text, listed: list[dict], reflected: dict[str, bytes]) -> list[dict]:
    """The cases of a response. `reflected`: the signed texts of other messages with the same body, by their names."""
    template = listed[0]
    bad = "INVALID_RESPONSE_SIGNATURE" if kind == "manifest" else "SIGNATURE_MISMATCH"

    def case(name, description, expect, status, signed):
        return template | {"id": f"{kind}-{name}", "description": description, "expect": expect, "status": status,
                           "headers": {"x-ya-signature": entry(signed)}}

    return [
        *listed,
        case("status-410", "a signed 410", "accept", 410, text(status=410)),
        case("other-status", "signed as 200, received as 410", bad, 410, text()),
        case("other-status-2xx", "signed as 200, received as 202", bad, 202, text()),
        *[case(f"{name}-reflected", f"the signature of a {name} with the same body", bad, 200, signed)
          for name, signed in reflected.items()],
        case("status-range", "no HTTP status", "PAYLOAD_INVALID", 1000, text(status=1000)),
    ]


def answer_cases() -> list[dict]:
    return with_status("answer", answer_text, cases("answer", answer_text), {"callback": callback_text()})


def callback_cases() -> list[dict]:
    listed = cases("callback", callback_text)
    reflected = {"id": "callback-answer-reflected", "expect": "SIGNATURE_MISMATCH",
                 "description": "the signature of a 200 answer with the same body",
                 "headers": {"x-ya-signature": entry(answer_text())}}
    return [*listed, listed[0] | reflected]


def manifest_cases() -> list[dict]:
    reflected = {"describe": describe_text(), "answer": answer_text(call=REQUEST), "callback": callback_text(call=REQUEST)}
    listed = with_status("manifest", manifest_text, cases("manifest", manifest_text), reflected)
    foreign_id = {"id": "manifest-call-id", "description": "the id of a call", "expect": "PAYLOAD_INVALID",
                  "requestId": CALL, "headers": {"x-ya-signature": entry(manifest_text(call=CALL))}}
    return [*listed, listed[0] | foreign_id]


def moment(seconds: float) -> str:
    time = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def request_cases() -> list[dict]:
    """Complete describe requests, for a handler whose audience and clock are in the case."""
    fields = {"type": "describe", "requestId": REQUEST, "timestamp": moment(NOW_SECONDS), "audience": AUDIENCE}
    call = {"toolCallId": CALL, "agentId": "agt_01k9e5t8b8fxhv3c4n5p6q7r8t",
            "executionId": "exec_01k9e5t8b8fxhv3c4n5p6q7r8v", "name": "lookup_order",
            "parameters": {"orderId": "ORD-12345"}, "attempt": 1, "timestamp": moment(NOW_SECONDS),
            "deadline": moment(NOW_SECONDS + 10), "audience": AUDIENCE}

    def case(name, description, expect, changed=None, body=None, header=None, level="request"):
        sent = body if body is not None else json.dumps(fields | (changed or {})).encode()
        built = {"id": f"{level}-{name}", "level": level, "description": description,
                 "headers": {"x-ya-signature": header or entry(describe_text(sent))}}
        if len(sent) > ONE_MIB:
            built["bodyGenerate"] = {"jsonBase64": base64.b64encode(sent.rstrip()).decode(),
                                     "padWithSpacesToBytes": len(sent)}
        else:
            built["bodyBase64"] = base64.b64encode(sent).decode()
        return built | {"secrets": [CURRENT], "nowSeconds": NOW_SECONDS, "audience": AUDIENCE, "expect": expect}

    def without(name):
        return json.dumps({key: value for key, value in fields.items() if key != name}).encode()

    def aged(seconds):
        return {"timestamp": moment(NOW_SECONDS - seconds)}

    whole = json.dumps(fields).encode()
    invalid, old, future = "PAYLOAD_INVALID", "TIMESTAMP_TOO_OLD", "TIMESTAMP_IN_FUTURE"
    return [
        case("valid", "untouched", "accept"),
        case("extra-field", "a field of a newer gateway", "accept", {"more": {"than": 1}}),
        case("tolerance-past", "exactly 300 s old", "accept", aged(300)),
        case("tolerance-future", "exactly 300 s ahead", "accept", aged(-300)),
        case("too-old", "301 s old", old, aged(301)),
        case("in-future", "301 s ahead", future, aged(-301)),
        case("other-audience", "for another handler", invalid, {"audience": AUDIENCE + "/other"}),
        case("audience-case", "the audience in upper case", invalid, {"audience": AUDIENCE.upper()}),
        case("no-audience", "without an audience", invalid, body=without("audience")),
        case("no-type", "without a type", invalid, body=without("type")),
        case("other-type", "of another type", invalid, {"type": "call"}),
        case("no-id", "without an id", invalid, body=without("requestId")),
        case("call-id", "with the id of a call", invalid, {"requestId": CALL}),
        case("dotted-id", "with an id that contains a dot", invalid, {"requestId": REQUEST + ".200"}),
        case("no-timestamp", "without a timestamp", invalid, body=without("timestamp")),
        case("unix-time", "with a time in seconds", invalid, {"timestamp": NOW_SECONDS}),
        case("call-fields", "a call, signed as a describe request: it must not run", invalid,
             body=json.dumps(call).encode()),
        case("list", "a list", invalid, body=b"[" + whole + b"]"),
        case("not-json", "text that is not JSON", invalid, body=whole[:-1]),
        case("not-utf8", "bytes that are not UTF-8", invalid, body=whole.replace(b"orders", b"\xfe")),
        case("large", "more than 1 MiB", "BODY_TOO_LARGE", body=whole.ljust(ONE_MIB + 1)),
        case("other-secret", "signed with an unknown secret", "SIGNATURE_MISMATCH",
             header=entry(describe_text(whole), STRANGER)),
        case("describe", "a describe request, received where calls are verified", "SIGNATURE_MISMATCH", level="call"),
        case("describe-prefix", "the signed text of a describe request sent as a call", invalid,
             body=describe_text(whole), header=entry(describe_text(whole)), level="call"),
        case("describe-body", "a describe request, signed as a call: it must not be answered with a manifest", invalid,
             header=entry(whole), level="call"),
    ]


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
write("describe-signature.json",
      "Describe requests. level 'describe': X-YA-Signature over header, bytes, secrets. level 'request': the complete "
      "request, by a handler with the clock at nowSeconds, a tolerance of 300 s and the audience. level 'call': the same "
      "message, verified as a call. expect: 'accept' or the error code.",
      [*cases("describe", describe_text), *request_cases()])
write("manifest-signature.json",
      "X-YA-Signature of responses to describe requests: header, request id, status, bytes, secrets. expect: 'accept' or "
      "the error code.",
      manifest_cases())
