// A screen of accounts and sign-in; everything is in its feature.
import { RegisterPassword } from "../../features/users/register-screens.tsx";

export default function AuthRegisterCwCreate() {
  return <RegisterPassword base="/register-cw" />;
}
