// A stand-in that implements GeeTest's version-4 protocol on this machine: the widget's script, its load and verify
// calls as scripts, and the server's validate call with its signature. It is not GeeTest and has no puzzle; it lets the
// adapter be walked without the network.
import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

const ID = "0123456789abcdef0123456789abcdef";
const KEY = "fedcba9876543210fedcba9876543210";

export interface GeetestStandIn {
  readonly origin: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Answers given so far, and how many of them the server showed back with a right signature. */
  readonly counts: { given: number; validated: number };
  close(): void;
}

/** Drawn as its own picture and style from its own host, as the real widget does: the page's policy must let both in. */
const widgetScript = (origin: string) => `
window.initGeetest4 = (config, ready) => {
  const on = {};
  const call = (path, done) => {
    const name = "geetest_" + Math.random().toString(36).slice(2);
    window[name] = (answer) => { delete window[name]; done(answer); };
    const script = document.createElement("script");
    script.src = ${JSON.stringify(origin)} + path + "?captcha_id=" + config.captchaId + "&callback=" + name;
    document.head.append(script);
  };
  let validate = false;
  const box = document.createElement("div");
  const shown = {
    onReady: (f) => { on.ready = f; return shown; },
    onSuccess: (f) => { on.success = f; return shown; },
    onError: (f) => { on.error = f; return shown; },
    onClose: (f) => { on.close = f; return shown; },
    showCaptcha: () => {
      const style = document.createElement("link");
      style.rel = "stylesheet";
      style.href = ${JSON.stringify(origin)} + "/v4/gt4.css";
      document.head.append(style);
      const picture = new Image();
      picture.src = ${JSON.stringify(origin)} + "/pictures/1.svg";
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "I am a person (stand-in)";
      button.onclick = () => call("/verify", ({ data }) => { validate = data.seccode; on.success(); });
      box.className = "geetest_box";
      box.append(picture, button);
      document.body.append(box);
    },
    getValidate: () => validate,
    destroy: () => box.remove(),
  };
  ready(shown);
  call("/load", ({ status }) => (status === "success" ? on.ready() : on.error()));
};`;

async function readForm(request: IncomingMessage): Promise<Readonly<Record<string, string>>> {
  let text = "";
  for await (const part of request) text += part;
  return Object.fromEntries(new URLSearchParams(text));
}

export async function openGeetestStandIn(): Promise<GeetestStandIn> {
  const open = new Map<string, string>();
  const counts = { given: 0, validated: 0 };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", origin);
    const answer = (type: string, text: string) => response.writeHead(200, { "content-type": type }).end(text);
    const script = (data: unknown) =>
      answer("text/javascript", `${url.searchParams.get("callback")}(${JSON.stringify(data)})`);
    if (url.pathname === "/v4/gt4.js") return answer("text/javascript", widgetScript(origin));
    if (url.pathname === "/v4/gt4.css")
      return answer("text/css", ".geetest_box{position:fixed;top:16px;left:16px;z-index:2147483647}");
    if (url.pathname === "/pictures/1.svg")
      return answer("image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>');
    if (url.pathname === "/load")
      return script({ status: url.searchParams.get("captcha_id") === ID ? "success" : "error" });
    if (url.pathname === "/verify") {
      const seccode = { lot_number: randomUUID(), pass_token: randomUUID(), gen_time: "1", captcha_output: "o" };
      open.set(seccode.lot_number, seccode.pass_token);
      counts.given += 1;
      return script({ status: "success", data: { result: "success", seccode } });
    }
    const form = await readForm(request);
    const lot = form.lot_number ?? "";
    const isSigned = form.sign_token === createHmac("sha256", KEY).update(lot).digest("hex");
    const isRight = isSigned && open.get(lot) === form.pass_token && url.searchParams.get("captcha_id") === ID;
    open.delete(lot);
    if (isRight) counts.validated += 1;
    return answer("application/json", JSON.stringify({ status: "success", result: isRight ? "success" : "fail" }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    counts,
    settings: {
      CW_GEETEST_ID: ID,
      CW_GEETEST_KEY: KEY,
      CW_GEETEST_SCRIPT_URL: `${origin}/v4/gt4.js`,
      CW_GEETEST_API_URL: origin,
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
