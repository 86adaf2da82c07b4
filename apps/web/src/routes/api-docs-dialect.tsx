// How bots written for Binance trade here: addresses, samples and what is good to know.
import { DialectPage } from "../features/reference/dialect-page.tsx";

export default function ApiDocsDialect() {
  return <DialectPage />;
}
