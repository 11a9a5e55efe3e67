import Gateway

await Gateway.program.run()
