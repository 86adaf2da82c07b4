// A screen of accounts and sign-in; everything is in its feature.
import { ClassicRegister } from "../../features/users/register-screens.tsx";

export default function AuthRegister() {
  return <ClassicRegister />;
}
