// A screen of accounts and sign-in; everything is in its feature.
import { StayScreen } from "../../features/sessions/stay-screen.tsx";

export default function AuthStayScreen() {
  return <StayScreen />;
}
