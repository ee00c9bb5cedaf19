-- Neovim's own client: opens a program with a mistake, shows it, mends it by a code action, looks
-- around, verifies. Run by neovim.sh, which says where the server and the program are.
local function check(good, what)
  if not good then
    io.stderr:write('neovim.lua: ' .. what .. '\n')
    vim.cmd('cquit 1')
  end
end
local function await(what, ready)
  check(vim.wait(120000, ready, 20), 'waited in vain: ' .. what)
end

local messages = {}
local id = vim.lsp.start_client({
  name = 'leto',
  cmd = { vim.env.LETO_LSP },
  root_dir = vim.fn.getcwd(),
  handlers = {
    ['$/progress'] = function(_, result)
      if result.value.kind == 'end' then table.insert(messages, result.value.message) end
    end,
  },
})
check(id, 'the server cannot be started')
vim.cmd('edit ' .. vim.env.LETO_PROGRAM)
vim.lsp.buf_attach_client(0, id)

local function line(n) return vim.api.nvim_buf_get_lines(0, n - 1, n, true)[1] end
local function ask(method, more)
  local params = vim.tbl_extend('force', vim.lsp.util.make_position_params(0, 'utf-16'), more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 120000)
  check(answers and answers[id], 'no answer to ' .. method)
  check(not answers[id].error, method .. ': ' .. vim.inspect(answers[id].error))
  return answers[id].result
end

-- The mistake is shown.
await('a diagnostic', function() return #vim.diagnostic.get(0) == 1 end)
local shown = vim.diagnostic.get(0)[1]
check(shown.lnum == 4 and shown.col == 13, 'the diagnostic stands at ' .. shown.lnum .. ':' .. shown.col)
check(shown.message:find("did you mean 'x'"), 'the diagnostic says ' .. shown.message)

-- And mended: what the user would choose is the first thing that is offered.
vim.ui.select = function(items, _, choose) choose(items[1]) end
vim.api.nvim_win_set_cursor(0, { 5, 14 })
vim.lsp.buf.code_action()
await('the mended line', function() return line(5) == '    real y = x *. x;' end)
await('no more diagnostics', function() return #vim.diagnostic.get(0) == 0 end)

-- Looking around.
vim.api.nvim_win_set_cursor(0, { 6, 11 })
local hover = ask('textDocument/hover')
check(hover.contents.value:find('real y', 1, true), 'hover says ' .. hover.contents.value)
local there = ask('textDocument/definition')
check(#there == 1 and there[1].range.start.line == 4, 'the definition is elsewhere')
vim.lsp.buf.rename('square')
await('the new name', function() return line(5) == '    real square = x *. x;' end)
check(line(6) == '    return square;', 'the use keeps its old name: ' .. line(6))

-- Verifying.
if vim.fn.executable('z3') == 1 then
  local answers = vim.lsp.buf_request_sync(0, 'workspace/executeCommand',
    { command = 'leto.verify', arguments = { vim.uri_from_bufnr(0) } }, 120000)
  check(answers[id].result and answers[id].result.status == 'proved', vim.inspect(answers[id]))
  await('the end of the progress', function() return #messages > 0 end)
  check(messages[1]:find('claims? proved'), 'the progress ends with ' .. messages[1])
end

vim.lsp.stop_client(id)
await('the end of the server', function() return vim.lsp.client_is_stopped(id) end)
io.stdout:write('neovim is served\n')
vim.cmd('qall!')
