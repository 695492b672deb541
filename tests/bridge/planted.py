"""Secrets of many formats and forms, as notebooks hold them: (name, cell, the secret that must not leave).

The secrets are put together at run time, so that no scanner takes this file for a leak.
"""

from __future__ import annotations


def _join(*parts: str) -> str:
    return "".join(parts)


OPENAI = _join("sk-", "proj-", "Ab3dEf6hIj9kLm2nOp5q")
ANTHROPIC = _join("sk-", "ant-api03-", "Qw3rTy6uIo9pAs2dFg5h")
GITHUB = _join("gh", "p_", "0123456789abcdefghijABCDEFGHIJ012345")
GOOGLE = _join("AI", "za", "SyA1234567890abcdefghijklmnopqrstuv")
HUGGING_FACE = _join("h", "f_", "abcdefghijklmnopqrstuvwxyzABCDEF12")
AWS_ID = _join("AK", "IA", "IOSFODNN7EXAMPLE")
AWS_SECRET = _join("wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY")
SLACK = _join("xo", "xb-", "123456789012-abcdefghijkl")
JWT = _join("eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.", "dozjgNryP4J3jVmNHl0w5N")
STRIPE = _join("sk_", "live_", "4eC39HqLyjWDarjtT1zdp7dc")
GROQ = _join("gs", "k_", "abcdefghij0123456789ABCDEFGHIJ")
WANDB = "0123456789abcdef" * 2 + "01234567"
PEM = _join("-----BEGIN RSA ", "PRIVATE KEY-----\nMIIEowIBAAKCAQEA75\n-----END RSA ", "PRIVATE KEY-----")

PLANTED = [
    ("assignment", 'api_key = "plain-words-key"', "plain-words-key"),
    ("annotated", 'client_secret: str = "an-annotated-secret"', "an-annotated-secret"),
    ("attribute", 'openai.api_key = "attr-secret-value"', "attr-secret-value"),
    ("environment", 'os.environ["MY_PASSWORD"] = "env-secret-value"', "env-secret-value"),
    ("setdefault", 'os.environ.setdefault("DB_PASSWORD", "default-secret-1")', "default-secret-1"),
    ("keyword", 'connect(host="db", password="keyword-secret-1")', "keyword-secret-1"),
    ("mapping", 'config = {"secret_key": "mapped-secret-1", "n": 3}', "mapped-secret-1"),
    ("joined", 'password = ("first-half-" \n   "second-half")', "second-half"),
    ("fstring", 'api_key = f"prefix-secret-{1 + 1}-rest"', "prefix-secret-"),
    ("bytes", 'SECRET_KEY = b"bytes-secret-value"', "bytes-secret-value"),
    ("triple", 'private_key = """line-one-secret\nline-two-secret"""', "line-two-secret"),
    ("our own helper", 'crane_llm.set_api_key("helper-secret-1", base_url="http://localhost:1/v1")', "helper-secret-1"),
    ("our own helper by name", 'set_api_key(model="m", key="helper-secret-2")', "helper-secret-2"),
    ("login", 'wandb.login(key="' + WANDB + '")', WANDB),
    ("magic", "%env API_TOKEN=magic-secret-1", "magic-secret-1"),
    ("shell", "!export AWS_SECRET_ACCESS_KEY=" + AWS_SECRET + " && aws s3 ls", AWS_SECRET),
    ("shell option", '!mysql --password=shell-secret-99 -e "select 1"', "shell-secret-99"),
    ("written file", "%%writefile .env\nDJANGO_SECRET=file-secret-1\nDEBUG=1", "file-secret-1"),
    ("written file quoted", '%%writefile .env\nDB_PASSWORD="file-secret-2"', "file-secret-2"),
    ("URL login", 'engine = create_engine("postgresql://me:url-secret-1@db.example/x")', "url-secret-1"),
    ("URL parameter", 'requests.get("https://api.example/v1?q=1&access_token=query-secret-1")', "query-secret-1"),
    ("bearer header", 'headers = {"Authorization": "Bearer abcdef0123456789abcdef"}', "abcdef0123456789abcdef"),
    ("comment", "# old key: " + OPENAI, OPENAI),
    ("broken code", 'api_key = "unclosed-secret-1"\nif (', "unclosed-secret-1"),
    ("OpenAI", f'x = "{OPENAI}"', OPENAI),
    ("Anthropic", f'x = "{ANTHROPIC}"', ANTHROPIC),
    ("GitHub", f"!git clone https://{GITHUB}@github.com/x/y", GITHUB),
    ("Google", f'genai.configure("{GOOGLE}")', GOOGLE),
    ("Hugging Face", f'x = "{HUGGING_FACE}"', HUGGING_FACE),
    ("AWS id", f'x = "{AWS_ID}"', AWS_ID),
    ("Slack", f'x = "{SLACK}"', SLACK),
    ("JSON web token", f'x = "{JWT}"', JWT),
    ("Stripe", f'x = "{STRIPE}"', STRIPE),
    ("Groq", f'x = "{GROQ}"', GROQ),
    ("PEM", f'x = """{PEM}"""', "MIIEowIBAAKCAQEA75"),
]

INNOCENT = [
    'tokenizer.pad_token = "[PAD]"',
    'df = df[["password", "user"]]',
    'x = os.environ["OPENAI_API_KEY"]',
    'api_key = os.getenv("OPENAI_API_KEY")',
    "max_tokens = 512",
    'key = "a"\nkeys = ["x", "y"]',
    'url = "https://example.com/data.csv?page=2"',
    'df["token_count"] = df["text"].str.split().str.len()',
    'author = "someone@example.com"',
    "if token:\n    name = 'plain'",
    'sort_key = "price"',
    "def f(api_key, n='x'):\n    return n",
    'plt.plot(x, y, "--")\nplt.title("Train: loss = 3")',
    'x = "task-specific-heads-and-more-words-here"',
    '!pip install "numpy<2" pandas==2.1',
]
