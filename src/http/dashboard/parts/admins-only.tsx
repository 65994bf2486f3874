import { Command, Empty } from "./basics.tsx";

export function AdminsOnly({ what }: { what: string }) {
  return (
    <Empty title={`This token may not see ${what}.`}>
      <p>
        Open the address that <Command>recollect serve</Command> prints, or make a token with{" "}
        <Command>recollect token create NAME --admin</Command>.
      </p>
    </Empty>
  );
}
