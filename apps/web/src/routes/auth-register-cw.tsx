// A screen of accounts and sign-in; everything is in its feature.
import { RegisterStart } from "../features/users/register-screens.tsx";

export default function AuthRegisterCw() {
  return <RegisterStart />;
}
