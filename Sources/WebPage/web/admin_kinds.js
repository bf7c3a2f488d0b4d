// The kinds of resources and the operations of the log of changes, as the contract names them, and their words.
import { has, t } from "./words.js";

export const KINDS = ["organization", "member", "invitation", "apiToken", "timeEntry", "segment", "session", "project",
  "task", "breakType", "webhook", "reminder"];

/** The operations to choose from. A name of a verb and a kind has no words of its own. */
export const OPERATIONS = [
  "clockIn", "clockOut", "applyPunches", "undoPunch", "autoClockOut", "remind",
  "createTimeEntry", "createTimeEntries", "updateTimeEntry", "deleteTimeEntry", "importTimeEntries",
  "startSegment", "stopSegment", "createSegment", "updateSegment", "deleteSegment", "resetHistory",
  "createMember", "createMembers", "updateMember", "deactivateMember", "anonymizeMember", "updateMe", "changePassword",
  "createInvitation", "deleteInvitation", "acceptInvitation", "createApiToken", "deleteApiToken",
  "createSession", "updateSession", "deleteSession", "createProject", "updateProject", "deleteProject",
  "createTask", "updateTask", "deleteTask", "createBreakType", "updateBreakType",
  "createWebhook", "updateWebhook", "deleteWebhook", "disableWebhook",
  "createOrganization", "updateOrganization",
];

/** The name of a kind; a kind that a later service adds keeps the contract's name. */
export const kindName = (kind) => (has(`admin.kind.${kind}`) ? t(`admin.kind.${kind}`) : kind);

/** The name of an operation: words of its own, or its verb and its kind's name, or the contract's name. */
export function operationName(operation) {
  if (has(`admin.did.${operation}`)) return t(`admin.did.${operation}`);
  const [, verb, noun] = operation.match(/^(create|update|delete)(\w+)$/) || [];
  const kind = noun && noun[0].toLowerCase() + noun.slice(1);
  return KINDS.includes(kind) ? t(`admin.did.${verb}`, { what: kindName(kind) }) : operation;
}
