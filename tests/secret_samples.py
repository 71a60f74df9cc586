"""Secrets as services make them, new ones with every seed: none stands in a file, where scanners would find it."""

import random
import string
from collections.abc import Callable, Mapping

HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + "234567"
ALNUM = string.ascii_letters + string.digits
WORD = ALNUM + "_-"

Make = Callable[[random.Random], str]


def _of(prefix: str, *parts: tuple[str, int]) -> Make:
    """The prefix, then so many characters of each alphabet, with a hyphen between them."""

    def make(dice: random.Random) -> str:
        return prefix + "-".join("".join(dice.choices(letters, k=n)) for letters, n in parts)

    return make


def _private_key(dice: random.Random) -> str:
    lines = ["".join(dice.choices(ALNUM + "+/", k=64)) for _ in range(6)]
    name = "RSA PRIVATE" + " KEY"
    return "\n".join((f"-----BEGIN {name}-----", *lines, f"-----END {name}-----"))


def _jwt(dice: random.Random) -> str:
    parts = ("".join(dice.choices(ALNUM, k=n)) for n in (24, 60, 43))
    return "eyJ{}.eyJ{}.{}".format(*parts)


# By the kind that the rules call them.
MAKERS: Mapping[str, Make] = {
    "aws-access-token": _of("AKIA", (UPPER, 16)),
    "anthropic-api-key": lambda dice: _of("sk-ant-api03-", (WORD, 93))(dice) + "AA",
    "camillo-api-key": _of("cam_", (WORD, 43)),
    "databricks-api-token": _of("dapi", (HEX, 32)),
    "digitalocean-pat": _of("dop_v1_", (HEX, 64)),
    "doppler-api-token": _of("dp.pt.", (string.ascii_lowercase + string.digits, 43)),
    "gcp-api-key": _of("AIza", (WORD, 35)),
    "github-fine-grained-pat": _of("github_pat_", (ALNUM, 82)),
    "github-pat": _of("ghp_", (ALNUM, 36)),
    "gitlab-pat": _of("glpat-", (ALNUM, 20)),
    "grafana-service-account-token": lambda dice: _of("glsa_", (ALNUM, 32))(dice) + "_" + _of("", (HEX, 8))(dice),
    "huggingface-access-token": _of("hf_", (string.ascii_letters, 34)),
    "jwt": _jwt,
    "linear-api-key": _of("lin_api_", (string.ascii_lowercase + string.digits, 40)),
    "npm-access-token": _of("npm_", (string.ascii_lowercase + string.digits, 36)),
    "postman-api-token": _of("PMAK-", (HEX, 24), (HEX, 34)),
    "private-key": _private_key,
    "pypi-upload-token": _of("pypi-AgEIcHlwaS5vcmc", (WORD, 70)),
    "sendgrid-api-token": _of("SG.", (ALNUM, 66)),
    "shopify-access-token": _of("shpat_", (HEX, 32)),
    "slack-bot-token": _of("xoxb-", (string.digits, 12), (string.digits, 12), (ALNUM, 24)),
    "stripe-access-token": _of("sk_live_", (ALNUM, 24)),
    "vault-service-token": _of("hvs.7", (ALNUM, 94)),
}


def samples(seed: int) -> dict[str, str]:
    """One secret of each kind."""
    dice = random.Random(seed)  # noqa: S311
    return {kind: make(dice) for kind, make in MAKERS.items()}
