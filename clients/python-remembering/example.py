"""Two conversations of one person with a scripted model: `python example.py`, with a server running, needs no key."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from uuid import uuid4

from openai import OpenAI

from camillo_client import Camillo
from camillo_remembering import flush, remembering


class Model(BaseHTTPRequestHandler):
    """Answers by telling what the system says to it."""

    def do_POST(self) -> None:
        """One answer."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        known = [message["content"] for message in asked["messages"] if message["role"] == "system"]
        message = {"role": "assistant", "content": f"I know: {known}"}
        told = {"id": "c1", "created": 1, "model": "m", "object": "chat.completion"}
        body = json.dumps(told | {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def main() -> None:
    """Tells the model something in one conversation, and asks in another."""
    with HTTPServer(("127.0.0.1", 0), Model) as model, Camillo.connect() as camillo:
        threading.Thread(target=model.serve_forever, daemon=True).start()
        person = camillo.for_user(uuid4().hex)
        for session, text in (("monday", "I drink tea."), ("tuesday", "What do I drink?")):
            bare = OpenAI(base_url=f"http://127.0.0.1:{model.server_port}", api_key="any")
            client = remembering(bare, person, session_id=session, speaker="ada", recall_seconds=30)
            answer = client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])
            print(answer.choices[0].message.content)
            flush()
        model.shutdown()


if __name__ == "__main__":
    main()
