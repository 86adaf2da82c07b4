"""The exchange's own API from Python's standard library: reads the market, places an order far below it, ends it."""
import hashlib, hmac, json, os, time, urllib.error, urllib.parse, urllib.request

URL = os.environ.get("CW_URL", "http://localhost:3000")
KEY, SECRET = os.environ["CW_API_KEY"], os.environ["CW_API_SECRET"]


def call(method, path, query=None, body=None):
    url = "/open/v1" + path + ("?" + urllib.parse.urlencode(query) if query else "")
    text = json.dumps(body) if body is not None else ""
    now = str(int(time.time() * 1000))
    signed = "\n".join([now, method, url, text]).encode()
    signature = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    headers = {"content-type": "application/json", "x-cw-key": KEY, "x-cw-time": now, "x-cw-signature": signature}
    request = urllib.request.Request(URL + url, text.encode() if text else None, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as error:
        raise SystemExit("refused " + json.load(error)["code"])


trades = call("GET", "/api/v1/spot/trades", {"pairCode": "BTC_USDT", "limit": 1})
price = str(round(float(trades[0]["price"]) * 0.95)) if trades else "90000"
order = {"pairCode": "BTC_USDT", "side": "buy", "type": "limit", "price": price, "quantity": "0.001"}
placed = call("POST", "/api/v1/spot/orders", body=order)
ended = call("DELETE", "/api/v1/spot/orders/" + placed["orderId"])
print(placed["orderId"], placed["status"], ended["status"])
