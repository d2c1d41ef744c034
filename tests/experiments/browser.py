"""A headless Chromium, driven over WebDriver's plain HTTP."""

import contextlib
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

from sparring.experiments.pages import write_report

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
SWITCHES = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element reference in WebDriver's JSON
RIGHT, LEFT = "\ue014", "\ue012"


class Browser:
    """One page of a headless Chromium; elements are named by CSS selectors, the first that fits counts."""

    def __init__(self, profile):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.driver = subprocess.Popen([DRIVER, f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = ""
        try:
            self._start(profile)
        except BaseException:
            self.quit()
            raise

    def _start(self, profile):
        self._wait_for_driver()
        options = {"binary": CHROMIUM, "args": [*SWITCHES, f"--user-data-dir={profile}"]}
        always = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = f"/session/{self.call('POST', '/session', capabilities={'alwaysMatch': always})['sessionId']}"

    def _wait_for_driver(self):
        for _ in range(150):
            with contextlib.suppress(OSError):
                if self.call("GET", "/status")["ready"]:
                    return
            time.sleep(0.1)
        raise RuntimeError("chromedriver does not answer")

    def call(self, method, path, **words):
        url = f"http://127.0.0.1:{self.port}{self.session}{path}"
        body = json.dumps(words).encode() if method == "POST" else None
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, page):
        self.call("POST", "/url", url=page.resolve().as_uri())

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", script=script, args=list(arguments))

    def command(self, name, **parameters):
        return self.call("POST", "/goog/cdp/execute", cmd=name, params=parameters)

    def _element(self, selector):
        return f"/element/{self.call('POST', '/element', using='css selector', value=selector)[ELEMENT]}"

    def click(self, selector):
        self.call("POST", f"{self._element(selector)}/click")

    def type(self, selector, keys):
        self.call("POST", f"{self._element(selector)}/value", text=keys)

    def choose(self, selector, value):
        self.run(
            "const s = document.querySelector(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))", selector, value
        )

    def text(self, selector):
        return self.run("const e = document.querySelector(arguments[0]); return e.value || e.textContent", selector)

    def count(self, selector):
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def complaints(self):
        return [entry["message"] for entry in self.call("POST", "/se/log", type="browser")]

    def quit(self):
        with contextlib.suppress(RuntimeError, OSError):
            self.call("DELETE", "")
        self.driver.terminate()
        self.driver.wait(timeout=20)


def open_report(browser, folder, width=1200, scheme="light"):
    browser.command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
    browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open(write_report(folder))


def games_of(browser):
    return json.loads(browser.text(".replay script"))["games"]
