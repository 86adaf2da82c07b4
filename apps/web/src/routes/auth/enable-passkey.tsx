// A screen of accounts and sign-in; everything is in its feature.
import { EnablePasskey } from "../../features/passkeys/passkey-screens.tsx";

export default function AuthEnablePasskey() {
  return <EnablePasskey />;
}
