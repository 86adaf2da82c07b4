// A screen of accounts and sign-in; everything is in its feature.
import { ForgetCode } from "../../features/users/forget-screens.tsx";

export default function AuthForgetVerification() {
  return <ForgetCode />;
}
