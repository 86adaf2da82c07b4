// A screen of accounts and sign-in; everything is in its feature.
import { ForgetReset } from "../../features/users/forget-screens.tsx";

export default function AuthForgetReset() {
  return <ForgetReset />;
}
