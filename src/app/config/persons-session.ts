/**
 * True if this process was started in the session of a person, at a screen or in a terminal; false for a service. Only
 * then Sinete looks for certificates in the places of the person's other programs.
 */
export function isPersonsSession(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_SESSION_ID'].some((name) => (environment[name] ?? '') !== '');
}
