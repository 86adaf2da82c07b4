// A screen of accounts and sign-in; everything is in its feature.
import { VerificationScreen } from "../../features/sessions/code-screens.tsx";

export default function AuthVerificationScreen() {
  return <VerificationScreen />;
}
