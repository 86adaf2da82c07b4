// A screen of accounts and sign-in; everything is in its feature.
import { QrScan } from "../../features/sessions/qr-screens.tsx";

export default function AuthScanLogin() {
  return <QrScan />;
}
