// Takes a record out of use, and back: at once, and undone by the message's button.
import { api } from "./api.js";
import { actOn } from "./admin_names.js";
import { tag } from "./admin_parts.js";
import { message } from "./shell.js";
import { sentence } from "./refusals.js";
import { t } from "./words.js";

const verb = (record) => t(record.archived ? "admin.restore" : "admin.archive");

/** The row's button; `path(record)` is where the record is, `put(record)` shows it as it is then. */
export function archiveButton(path, put) {
  async function set(record, archived) {
    const { data } = await api.send("PATCH", path(record), { archived }, { ifMatch: tag(record) });
    put(data);
    return data;
  }
  return {
    label: verb,
    name: (record) => actOn(verb(record), record.name),
    async act(record) {
      const now = await set(record, !record.archived);
      const undo = async () => {
        try {
          await set(now, record.archived);
          message(t("common.undone"));
        } catch (error) {
          message(sentence(error));
        }
      };
      message(t("common.saved"), { undo });
    },
  };
}

/** Whether a record is in use, in a word. */
export const useOf = (record) => t(record.archived ? "admin.state.archived" : "admin.state.active");
