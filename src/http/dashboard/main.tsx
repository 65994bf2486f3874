import { render } from "preact";
import { Dashboard } from "./app.tsx";
import { takeOfferedToken } from "./credential.ts";
import { createRouter } from "./router.ts";
import { applyTheme, savedTheme } from "./theme.ts";

applyTheme(savedTheme());
// Before anything else looks at the address.
const offered = takeOfferedToken("#/");
const place = document.getElementById("app");
if (place !== null) {
  place.textContent = "";
  render(<Dashboard router={createRouter()} offered={offered} />, place);
}
