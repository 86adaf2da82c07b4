// A screen of accounts and sign-in; everything is in its feature.
import { RegisterCode } from "../../features/users/register-screens.tsx";

export default function AuthRegisterVerification() {
  return <RegisterCode base="/register" />;
}
