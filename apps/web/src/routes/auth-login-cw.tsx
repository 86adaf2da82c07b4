// A screen of accounts and sign-in; everything is in its feature.
import { LoginScreen } from "../features/sessions/login-screen.tsx";

export default function AuthLoginScreen() {
  return <LoginScreen />;
}
