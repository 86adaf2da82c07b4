// A served exchange with a fast simulated market, for tests that kill it: prints its address and waits to be stopped.
import { startMarketServer } from "./market-fixture.ts";

const [folder = "", speed = "40", token = ""] = process.argv.slice(2);
const environment = { CW_MARKET_SPEED: speed, CW_MARKET_PRICE_TOKEN: token };
const place = await startMarketServer({ folder, mode: "simulated", environment });
process.stdout.write(`${JSON.stringify({ url: place.url, socketUrl: place.socketUrl })}\n`);
process.once("SIGTERM", () => void place.close().then(() => process.exit(0)));
