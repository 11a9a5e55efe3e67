import Accounts

await Accounts.program.run()
