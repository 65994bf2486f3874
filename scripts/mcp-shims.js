// Takes the place of the MCP library's own shims in the bundle. Those bring a validator for schemas that
// arrive as JSON, which we never use (ours are zod's), and which is half of what a start has to read.
import process from "node:process";

class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("This server validates no schemas that arrive as JSON.");
  }
}

export { DefaultJsonSchemaValidator, process };
