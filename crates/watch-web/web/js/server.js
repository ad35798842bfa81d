// Connection to the server: its events, and what it had before the page was opened or while the connection was lost.

/** Milliseconds until the next attempt after the server has closed the connection for good. */
const RETRY = 3000;
/** Milliseconds from a gap in the events until the page asks for what is missing. */
const CATCH_UP = 2000;

/** @param {string} what */
function addressOf(what) {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  return `api/1/${what}?token=${encodeURIComponent(token)}`;
}

/** @param {Listener} listener */
export function connect(listener) {
  const source = new EventSource(addressOf("changes"));
  source.addEventListener("open", () => {
    listener.connected();
    catchUp(listener);
  });
  source.addEventListener("error", () => {
    listener.lost();
    // Browsers reconnect after a broken connection, but not after an answer that is an error.
    if (source.readyState !== EventSource.CLOSED) return;
    catchUp(listener);
    setTimeout(connect, RETRY, listener);
  });
  hearEvents(source, listener);
}

/**
 * @param {EventSource} source
 * @param {Listener} listener
 */
function hearEvents(source, listener) {
  /**
   * @param {string} name
   * @param {(data: any) => void} hear
   */
  const on = (name, hear) =>
    source.addEventListener(name, (/** @type {any} */ event) => hear(JSON.parse(event.data)));
  on("picture", (data) => listener.picture(data));
  on("found", (data) => listener.found(data));
  on("gone", (data) => listener.gone(data));
  on("end", (data) => {
    source.close();
    listener.ended(String(data?.why ?? ""));
  });
}

let isPlanned = false;

/**
 * Asks for what the events have left out, at most once in a while: the page is slow.
 *
 * @param {Listener} listener
 */
export function catchUpLater(listener) {
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    catchUp(listener);
  }, CATCH_UP);
}

/** @param {Listener} listener */
async function catchUp(listener) {
  try {
    const [history, picture] = await Promise.all([answer("history"), answer("picture")]);
    // The picture says which run it is.
    if (picture) listener.picture(picture);
    if (history) listener.history(history.points);
  } catch (error) {
    if (error instanceof Refused) listener.refused();
    // A connection that is lost is reported by its events.
  }
}

class Refused extends Error {}

/**
 * Null if there is nothing yet.
 *
 * @param {string} what
 * @returns {Promise<any>}
 */
async function answer(what) {
  const response = await fetch(addressOf(what), { cache: "no-store" });
  if (response.status === 401 || response.status === 403) throw new Refused();
  return response.status === 200 ? response.json() : null;
}
