/**
 * Whether tests that need something outside the package may run. Where it is missing they are skipped, and a
 * line says what to install; with `CA_REQUIRE=all` a missing one is a failure, so that CI cannot skip in silence.
 * @param name what is needed, as a person calls it ("a Chromium browser")
 * @param found whether it is here
 * @param install one command or step that brings it
 */
export function requirement(name: string, found: boolean, install: string): boolean {
  if (found) return true;
  const line = `${name} is missing: ${install}`;
  if (process.env.CA_REQUIRE === 'all') throw new Error(`CA_REQUIRE=all, but ${line}`);
  console.warn(`skipped: ${line}`);
  return false;
}
