// Loaded before the server of the wallet's soak: its requests to a chain's node go through the proxy whose port is in
// this module's own address, and which identifies the node by the path.
const proxy = new URL(import.meta.url).searchParams.get("proxy");
const NODE = /^http:\/\/127\.0\.0\.1:(\d+)\/(CW[TS])$/;
const plain = globalThis.fetch;

if (proxy === null) throw new Error("the detour needs a proxy");
globalThis.fetch = (input, init) => {
  const [, port, network] = NODE.exec(String(input)) ?? [];
  return plain(network === undefined ? input : `http://127.0.0.1:${proxy}/${port}/${network}`, init);
};
