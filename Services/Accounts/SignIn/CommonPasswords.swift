/// The most common passwords that are long enough for the rules.
enum CommonPasswords {
    /// Expects lower case.
    static func contains(_ password: String) -> Bool { all.contains(password) }

    static let all: Set<String> = Set(
        list.split(whereSeparator: \.isWhitespace).map(String.init))

    private static let list = """
        password10 password11 password12 password13 password21 password22 password23 password69
        password77 password88 password99 password00 password01 password.1 password1! password12!
        password123 password123! password1234 password12345 password123456 password2020 password2021
        password2022 password2023 password2024 password2025 password2026 passwordpassword password!!
        password!@# password@123 password@1234 password#1 password-1 password_1 passw0rd12
        passw0rd123 passw0rd1! p@ssword123 p@ssw0rd12 p@ssw0rd123 p@ssw0rd1! p@$$w0rd123 pa$$word123
        mypassword mypassword1 mypassword123 yourpassword newpassword newpassword1 oldpassword
        thepassword password4me passwords1 password1a passwort123 motdepasse motdepasse1 contrasena
        contrasena1 wachtwoord wachtwoord1 administrator administrator1 administrador admin12345
        admin123456 admin@1234 admin@12345 adminadmin admin1234! adminpassword rootpassword
        root123456 superadmin superuser1 changeme12 changeme123 changeme1! changemenow letmein123
        letmein1234 letmein12345 letmeinnow letmeinplease welcome123 welcome1234 welcome12345
        welcome123! welcome@123 welcome2020 welcome2021 welcome2022 welcome2023 welcome2024
        welcome2025 welcome2026 welcomehome iloveyou12 iloveyou123 iloveyou1234 iloveyouso
        iloveyoubaby iloveyouforever iloveu1234 ilovemyself ilovemymom iloveyou!! loveyou123
        lovelove123 qwerty1234 qwerty12345 qwerty123456 qwerty1234567 qwerty123! qwerty@123
        qwertyuiop1 qwertyuiop12 qwertyuiop123 qwertyqwerty qwerty7890 qwert12345 qwer1234qwer
        1234qwerasdf 1234qwertyuiop 12345qwert 123456qwerty qweasdzxc1 qweasdzxc123 qazwsxedc1
        qazwsxedc123 qazwsxedcrfv 1qaz2wsx3e 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r1q
        q1w2e3r4t5 q1w2e3r4t5y6 zaq12wsxcde zaq1zaq1zaq1 zxcvbnm123 zxcvbnm1234 asdfghjkl1
        asdfghjkl123 asdfasdf12 asdf123456 asdfgh1234 asdfasdfasdf zxcvzxcvzxcv abc1234567
        abc12345678 abcd123456 abcd12345678 abcdef1234 abcdefg123 a123456789 a1234567890 a1b2c3d4e5
        a1b2c3d4e5f6 aa12345678 aa123456789 aa123123123 aaa1234567 123456789a 123456789q 123456789z
        1234567890a 1234567890q 12345678910 123456789101 1234567891011 123456789123 123456789012
        123456123456 1234512345 1234554321 12345678900 1234567899 1234567898 123456789987654321
        1234567890987654321 0987654321 9876543210 987654321a 1122334455 112233445566 11223344556677
        1234123412 123412341234 123321123321 1231231234 1111122222 1111111112 1212121213 5555566666
        0123456789 0011223344 1357924680 1029384756 2468013579 1472583690 7418529630 3141592653
        314159265358 football12 football123 football1! baseball12 baseball123 basketball basketball1
        basketball23 volleyball snowboarding skateboard manchester manchester1 liverpool1
        liverpool123 liverpoolfc chelsea123 arsenal123 barcelona1 barcelona10 realmadrid realmadrid1
        juventus1897 sunshine12 sunshine123 sunshine1! princess12 princess123 princess1! butterfly1
        butterfly12 strawberry strawberry1 watermelon cheesecake chocolate1 chocolate12 chocolate123
        cinnamon12 superman12 superman123 batman1234 spiderman1 spiderman123 starwars12 starwars123
        pokemon123 pokemon1234 minecraft1 minecraft123 michael123 jennifer12 jennifer123 jordan2323
        charlie123 alexander1 alexander123 christopher elizabeth1 elizabeth123 victoria12
        victoria123 nicole1234 stephanie1 hello12345 hello123456 hellohello hellokitty hellokitty1
        helloworld helloworld1 helloworld123 hello1234! goodmorning whatever12 whatever123
        something1 nothing123 computer12 computer123 internet12 internet123 samsung123 samsung1234
        microsoft1 google1234 facebook12 facebook123 instagram1 linkedin123 dragon1234 monkey1234
        shadow1234 master1234 masterkey1 trustno1trustno1 blink182182 mustang123 mercedes12
        mercedesbenz ferrari123 lamborghini porsche911 secret1234 secret12345 secretsecret
        topsecret1 testtest12 test123456 test1234567 test12345678 testtesttest testing123
        testing1234 test@12345 user123456 guest12345 default123 temp123456 temppassword temporary1
        demo123456 p4ssw0rd123 access1234 summer2020 summer2021 summer2022 summer2023 summer2024
        summer2025 summer2026 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025
        winter2026 spring2024 spring2025 autumn2024 autumn2025 january123 february12 december12
        september1 september11 november11 hongkong12 hongkong123 hongkong1997 hongkong852 kowloon123
        openvalet1 openvalet12 openvalet123 openvaletopenvalet valet12345 valet123456 valetparking
        valetvalet parking123 parkmycar1 correcthorsebatterystaple abcdefghij abcdefghijk
        """
}
