import Web

await Web.program.run()
