// A stand-in for ccxt in Python, which is not installed here: a module of that name with the addresses of the client
// from npm, one unified method under its Python name, and that method's signed call made by Python's own library. It
// tests the sample's own text: its syntax, its names, and where it sends every address.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ccxt from "ccxt";

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Names a program calls on its exchange in Python, for every method that ccxt has. */
export function pythonMethods(): ReadonlySet<string> {
  const { has } = new ccxt.binance();
  return new Set(Object.keys(has as object).map(snake));
}

/** Where a program in Python finds it; undefined when there is no Python. */
export function makePythonModule(): { readonly folder: string; remove(): void } | undefined {
  try {
    execFileSync("python3", ["--version"], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "clockwork-python-"));
  writeFileSync(join(folder, "ccxt.py"), moduleText(JSON.stringify(new ccxt.pro.binance().urls.api)));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function moduleText(api: string): string {
  return `import hashlib, hmac, json, time, urllib.request

API = json.loads(r'''${api}''')

class binance:
    def __init__(self, config):
        self.config = config
        self.urls = {"api": json.loads(json.dumps(API))}

    def fetch_balance(self):
        query = "timestamp=%d&recvWindow=10000" % (time.time() * 1000)
        secret = self.config["secret"].encode()
        signature = hmac.new(secret, query.encode(), hashlib.sha256).hexdigest()
        url = self.urls["api"]["private"] + "/account?" + query + "&signature=" + signature
        request = urllib.request.Request(url, headers={"X-MBX-APIKEY": self.config["apiKey"]})
        with urllib.request.urlopen(request) as answer:
            rows = json.load(answer)["balances"]
        return {row["asset"]: {"free": float(row["free"]), "used": float(row["locked"])} for row in rows}

    def __del__(self):
        print("addresses", json.dumps(self.urls["api"]))
`;
}
