// Starts the language server when a Leto file is opened, and again when it has crashed.
'use strict';

const vscode = require('vscode');
const { Client } = require('./client.js');
const { serverCommand } = require('./find.js');

// A server that crashes this often within this time is left alone.
const MAX_CRASHES = 4;
const CRASH_WINDOW = 3 * 60 * 1000;

let log;
let client;
let version;
let crashes = [];
let starting = Promise.resolve();

function folder() {
  return vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === 'file')?.uri.fsPath;
}

// What the server is told, at the start and whenever it changes.
function settings() {
  return { verifyOnSave: vscode.workspace.getConfiguration('leto').get('verifyOnSave', true) };
}

async function start() {
  const configuration = vscode.workspace.getConfiguration('leto');
  const command = configuration.get('server.path', '').trim() || 'leto-lsp';
  const args = configuration.get('server.arguments', []);
  let made;
  try {
    made = new Client(
      vscode,
      log,
      { command: serverCommand(command, folder()), args, cwd: folder(), version, settings },
      (expected) => {
        if (client === made) client = undefined;
        if (!expected) crashed();
      },
    );
    client = made;
    await made.start();
  } catch (error) {
    if (client === made) client = undefined;
    log.appendLine(`The server did not start: ${error.message}`);
    const reason =
      error.code === 'ENOENT'
        ? `Leto's language server '${command}' was not found. Install Leto, or say where it is.`
        : `Leto's language server did not start: ${error.message}`;
    complain(reason, 'Open Settings', () =>
      vscode.commands.executeCommand('workbench.action.openSettings', 'leto.server'));
  }
}

function crashed() {
  const now = Date.now();
  crashes = [...crashes.filter((t) => now - t < CRASH_WINDOW), now];
  if (crashes.length < MAX_CRASHES) {
    enqueue(start);
  } else {
    complain("Leto's language server has ended several times and is not started again.", 'Restart', restart);
  }
}

// Nothing waits for the user's choice.
function complain(message, button, act) {
  Promise.resolve(vscode.window.showErrorMessage(message, button, 'Show Log')).then((choice) => {
    if (choice === button) act();
    if (choice === 'Show Log') log.show();
  });
}

// One start or stop at a time.
function enqueue(act) {
  starting = starting.then(act, act);
  return starting;
}

function restart() {
  crashes = [];
  return enqueue(async () => {
    await client?.stop();
    await start();
  });
}

function activate(context) {
  version = context.extension?.packageJSON?.version;
  log = vscode.window.createOutputChannel('Leto');
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand('leto.restartServer', restart),
    vscode.commands.registerCommand('leto.showLog', () => log.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('leto.server')) restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => restart()),
  );
  return enqueue(start);
}

function deactivate() {
  return enqueue(() => client?.stop());
}

module.exports = { activate, deactivate };
