// A screen of accounts and sign-in; everything is in its feature.
import { PasskeyLogin } from "../../features/passkeys/passkey-screens.tsx";

export default function AuthLoginPasskey() {
  return <PasskeyLogin />;
}
