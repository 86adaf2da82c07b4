// Preferences of the account and of this browser.
import { PreferencesPage } from "../../features/users/account-pages.tsx";

export default function AccountPreferences() {
  return <PreferencesPage />;
}
